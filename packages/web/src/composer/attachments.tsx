// The pictures that will be sent with the next message.
import { escapeInvisible } from '@quayside/protocol'
import { Icon } from '../shared/controls/icon.js'
import { strings } from '../strings/strings.js'
import type { Attachment } from '../drafts/draft.js'

const words = strings.session

type AttachmentsProps = {
  readonly attachments: readonly Attachment[]
  readonly onRemove: (id: string) => void
}

export function Attachments({ attachments, onRemove }: AttachmentsProps) {
  if (attachments.length === 0) return null
  return (
    <ul className="attachments">
      {attachments.map(({ id, name, preview, url }) => (
        <li key={id} className="attachment" aria-busy={url === undefined}>
          <img alt={escapeInvisible(name)} src={preview} />
          {url === undefined && (
            <span className="attachment-state">
              <Icon name="spinner" size={14} />
              <span className="visually-hidden">{words.uploading}</span>
            </span>
          )}
          <button
            type="button"
            className="attachment-remove"
            aria-label={words.removeAttachment(escapeInvisible(name))}
            onClick={() => onRemove(id)}
          >
            <Icon name="cross" size={12} />
          </button>
        </li>
      ))}
    </ul>
  )
}
