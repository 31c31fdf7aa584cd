// A message that waits for the connection: it goes out by itself, unless it is taken back.
import { useConnection } from '@quayside/client/react'
import { asPlainText } from '@quayside/protocol'
import { Icon } from '../../shared/icon.js'
import { useStore } from '../../shared/store.js'
import { strings } from '../../strings.js'
import type { Draft } from './draft.js'

const words = strings.session

export function NotSentYet({ draft }: { draft: Draft }) {
  const underway = useStore(draft.underway)
  const { state } = useConnection()
  if (!underway || state === 'open') return null
  return (
    <div className="not-sent" role="status" data-testid="not-sent">
      <Icon name="clock" size={14} />
      <span className="not-sent-text" dir="auto">
        {asPlainText(underway.text)}
      </span>
      <span>{words.notSentYet}</span>
      <button type="button" className="mini" onClick={underway.takeBack}>
        {words.takeBack}
      </button>
    </div>
  )
}
