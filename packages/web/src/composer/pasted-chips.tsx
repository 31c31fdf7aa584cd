// Long pasted texts that will be sent with the message. Each can be inserted into the field or removed.
import { Icon } from '../shared/controls/icon.js'
import { useStore } from '../shared/store.js'
import { strings } from '../strings/strings.js'
import type { Draft } from '../drafts/draft.js'
import type { PastedText } from '../drafts/pasted-texts.js'

const words = strings.session

export function PastedChips({ draft }: { draft: Draft }) {
  const pasted = useStore(draft.pasted)
  if (pasted.length === 0) return null
  const without = (gone: PastedText) => draft.setPasted(pasted.filter((one) => one !== gone))

  function putIn(one: PastedText) {
    without(one)
    draft.add(one.text)
  }

  return (
    <ul className="comment-chips" aria-label={words.pastedTexts}>
      {pasted.map((one) => (
        <li key={one.id} className="comment-chip">
          <button type="button" title={words.putIn} onClick={() => putIn(one)}>
            {words.pasted(one.text.split('\n').length)}
          </button>
          <span dir="auto">{one.text.trimStart().slice(0, 80)}</span>
          <button
            type="button"
            className="mini"
            aria-label={words.removeAttachment(words.pasted(one.text.split('\n').length))}
            onClick={() => without(one)}
          >
            <Icon name="cross" size={12} />
          </button>
        </li>
      ))}
    </ul>
  )
}
