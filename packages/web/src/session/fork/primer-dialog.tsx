// Shows the conversation as an agent without a memory of it gets it.
import { useHub } from '@quayside/client/react'
import { useCallback } from 'react'
import { Dialog } from '../../shared/controls/dialog.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings/strings.js'
import { Output } from '../cards/output.js'
import { useSessionContext } from '../context/session-context.js'
import { forkWords } from './fork-words.js'

const words = forkWords

export function PrimerDialog({ onClose }: { readonly onClose: () => void }) {
  const { sessionId } = useSessionContext()
  const { http } = useHub()
  const load = useCallback(
    (signal: AbortSignal) =>
      http.call('GET /api/sessions/{sessionId}/primer', { sessionId }, { signal }),
    [http, sessionId],
  )
  const { value, problem } = useLoaded(load)
  return (
    <Dialog title={words.primerTitle} className="wide" onClose={onClose}>
      {value && <p className="muted">{value.text === '' ? words.primerSent : words.aboutPrimer}</p>}
      {value && value.text !== '' && <Output text={value.text} />}
      {!value && !problem && (
        <p className="muted" role="status">
          {strings.common.loading}
        </p>
      )}
      <p className="problem" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}
