// The messages that wait for the connection: they go out by themselves, unless they are taken back.
import { useConnection } from '@quayside/client/react'
import { asPlainText } from '@quayside/protocol'
import { Icon } from '../../shared/icon.js'
import { useStore } from '../../shared/store.js'
import { strings } from '../../strings.js'
import type { Draft } from './draft.js'

const words = strings.session

export function NotSentYet({ draft }: { draft: Draft }) {
  const messages = useStore(draft.underway)
  const { state } = useConnection()
  if (state === 'open') return null
  return messages.map(({ id, text, takeBack }) => (
    <div key={id} className="not-sent" role="status" data-testid="not-sent">
      <Icon name="clock" size={14} />
      <span className="not-sent-text" dir="auto">
        {asPlainText(text)}
      </span>
      <span>{words.notSentYet}</span>
      <button type="button" className="mini" onClick={takeBack}>
        {words.takeBack}
      </button>
    </div>
  ))
}
