// Messages that wait for the connection. They are sent automatically unless the person takes them back.
import { useConnection } from '@quayside/client/react'
import { asPlainText } from '@quayside/protocol'
import { useEffect, useState } from 'react'
import { Icon } from '../shared/controls/icon.js'
import { useStore } from '../shared/store.js'
import { strings } from '../strings/strings.js'
import type { Draft } from '../drafts/draft.js'

const words = strings.session

/** A shorter wait is not mentioned. */
const SLOW_AFTER_MS = 1_500

export function NotSentYet({ draft }: { draft: Draft }) {
  const messages = useStore(draft.underway)
  const { state } = useConnection()
  const isSlow = useIsSlow(messages.length > 0)
  if (state === 'open' && !isSlow) return null
  return messages.map(({ id, text, takeBack }) => (
    <div key={id} className="not-sent" role="status" data-testid="not-sent">
      <Icon name="clock" size={14} />
      <span className="not-sent-text" dir="auto">
        {asPlainText(text)}
      </span>
      <span>{state === 'open' ? words.sending : words.notSentYet}</span>
      <button type="button" className="mini" onClick={takeBack}>
        {words.takeBack}
      </button>
    </div>
  ))
}

function useIsSlow(isUnderway: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isUnderway) return undefined
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isUnderway])
  return isSlow
}
