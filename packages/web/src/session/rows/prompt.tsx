// A person's prompt: plain text and its attachments.
import { useState } from 'react'
import { CopyIcon } from '../../shared/controls/copy-button.js'
import { asPlainText, escapeInvisible, type UserItem } from '@quayside/protocol'
import { Icon } from '../../shared/controls/icon.js'
import { inOwnScript } from '../../shared/controls/trouble.js'
import { linkTo } from '../../shared/route.js'
import { strings } from '../../strings/strings.js'
import { Media } from '../cards/media.js'
import { forkWords } from '../fork/fork-words.js'
import { useSessionContext } from '../context/session-context.js'
import { useActedHere } from '../context/acted-here.js'

const words = strings.session

const EditAgain = inOwnScript(async () => (await import('../fork/edit-again.js')).EditAgain)

export function Prompt({ item }: { item: UserItem }) {
  const { id, text, blocks, by } = item
  const { compose, sessionId } = useSessionContext()
  const isMine = useActedHere()(by)
  const attached = blocks.filter(({ type }) => type !== 'text')
  return (
    <div className="prompt-row" data-testid="msg-user">
      {!isMine && <span className="prompt-by">{escapeInvisible(by ?? '')}</span>}
      <div className="prompt">
        {text !== '' && (
          <div className="prompt-text" dir="auto">
            {asPlainText(text)}
          </div>
        )}
        {attached.length > 0 && (
          <div className="prompt-attached">
            {attached.map((block, index) => (
              <Media key={index} block={block} alt={words.attachedPicture} />
            ))}
          </div>
        )}
      </div>
      <div className="row-actions">
        <CopyIcon text={text} label={words.copyMessage} />
        <CopyIcon icon="link" text={linkTo(sessionId, id)} label={words.copyLink} />
        {compose && <EditButton item={item} />}
      </div>
    </div>
  )
}

function EditButton({ item }: { readonly item: UserItem }) {
  const [isOpen, setOpen] = useState(false)
  const label = forkWords.editAgain
  return (
    <>
      <button
        type="button"
        className="copy"
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
      >
        <Icon name="edit" size={14} />
      </button>
      {isOpen && <EditAgain item={item} onClose={() => setOpen(false)} />}
    </>
  )
}
