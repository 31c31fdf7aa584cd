// The end of a turn in words: how long it took, and why it stopped when that was not simply its end.
import { asPlainText, type Failure as Failed, type TurnEndItem } from '@quayside/protocol'
import { duration } from '../shared/times.js'
import { strings } from '../strings.js'
import { Failure } from './notice.js'
import { useSessionPlace } from './session-context.js'

const words = strings.session

const SHOWN_FROM_MS = 100

export function TurnEnd({ item }: { item: TurnEndItem }) {
  const { compose } = useSessionPlace()
  const { error, durationMs, stopReason } = item
  if (error) {
    const { details, code, message } = error
    return (
      <Failure
        message={asPlainText(message)}
        advice={adviceOn(code, details)}
        said={details?.['acp'] ?? details?.['stderrTail']}
      />
    )
  }
  const took =
    durationMs !== undefined && durationMs >= SHOWN_FROM_MS ? duration(durationMs) : undefined
  const said = [reasonOf(item), took].filter((part) => part !== undefined)
  if (said.length === 0) return null
  return (
    <p className="turn-end" data-testid="turn-end">
      {said.join(' · ')}
      {compose && (stopReason === 'max_turn_requests' || stopReason === 'max_tokens') && (
        <button type="button" className="quiet-button" onClick={() => compose(words.continueIt)}>
          {words.continueIt}
        </button>
      )}
    </p>
  )
}

function adviceOn(code: string, details: Failed['details']): string | undefined {
  if (code === 'agent_auth_required') return words.signIn
  return details && 'exitCode' in details ? words.afterCrash : undefined
}

function reasonOf({ stopReason, empty }: TurnEndItem): string | undefined {
  switch (stopReason) {
    case 'cancelled':
      return words.stoppedBy
    case 'max_tokens':
      return words.outOfRoom
    case 'max_turn_requests':
      return words.stepLimit
    case 'refusal':
      return words.declined
    default:
      return empty ? words.noAnswer : undefined
  }
}
