// The line comments that will be sent with the next message.
import { escapeInvisible } from '@quayside/protocol'
import { Icon } from '../shared/controls/icon.js'
import { useStore } from '../shared/store.js'
import { strings } from '../strings/strings.js'
import type { Draft } from '../drafts/draft.js'
import { locationOfComment } from '../drafts/line-comments.js'

const words = strings.review

export function CommentChips({ draft }: { draft: Draft }) {
  const comments = useStore(draft.comments)
  if (comments.length === 0) return null
  return (
    <ul className="comment-chips" aria-label={words.comments}>
      {comments.map((comment) => {
        const location = escapeInvisible(locationOfComment(comment))
        return (
          <li key={comment.id} className="comment-chip">
            <code dir="ltr">{location}</code>
            <span dir="auto">{escapeInvisible(comment.text)}</span>
            <button
              type="button"
              className="mini"
              aria-label={words.removeComment(location)}
              onClick={() => draft.setComments(comments.filter((one) => one !== comment))}
            >
              <Icon name="cross" size={12} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
