// The end of a turn: its duration, its changes, and the stop reason unless it ended normally.
import { useTimeline } from '@quayside/client/react'
import {
  asPlainText,
  escapeInvisible,
  type Failure as Failed,
  type TurnEndItem,
} from '@quayside/protocol'
import { useMemo } from 'react'
import { showPanel } from '../../shared/panel-location.js'
import { duration } from '../../shared/text/times.js'
import { strings } from '../../strings/strings.js'
import { DiffCounts } from '../cards/diff.js'
import { Failure } from './notice.js'
import { useSessionContext } from '../context/session-context.js'
import { workOfTurn, type TurnWork } from './turn-work.js'
import { useActedHere } from '../context/acted-here.js'

const words = strings.session

const SHOWN_FROM_MS = 100

export function TurnEnd({ item }: { item: TurnEndItem }) {
  const { compose, sessionId } = useSessionContext()
  const isMe = useActedHere()
  const work = useTurnWork(item)
  const { error, durationMs, stopReason } = item
  if (error) {
    const { details, code, message } = error
    return (
      <Failure
        message={asPlainText(message)}
        advice={adviceOn(code, details)}
        output={details?.['acp'] ?? details?.['stderrTail']}
      />
    )
  }
  const took =
    durationMs !== undefined && durationMs >= SHOWN_FROM_MS ? duration(durationMs) : undefined
  const read = work.read > 0 ? words.filesRead(work.read) : undefined
  const changed = work.changed > 0 ? words.filesChanged(work.changed) : undefined
  const parts = [reasonOf(item, isMe), took, read, changed].filter((part) => part !== undefined)
  if (parts.length === 0) return null
  return (
    <p className="turn-end" data-testid="turn-end">
      <span>
        {parts.join(' · ')}{' '}
        {work.changed > 0 && <DiffCounts oldText={work.oldText} newText={work.newText} />}
      </span>
      {work.changed > 0 && (
        <button
          type="button"
          className="quiet-button"
          onClick={() => showPanel(sessionId, 'changes')}
        >
          {words.review}
        </button>
      )}
      {compose && (stopReason === 'max_turn_requests' || stopReason === 'max_tokens') && (
        <button type="button" className="quiet-button" onClick={() => compose(words.continueIt)}>
          {words.continueIt}
        </button>
      )}
    </p>
  )
}

/** The work of the turn that ended here. */
function useTurnWork(end: TurnEndItem): TurnWork {
  const { sessionId } = useSessionContext()
  const { ids, item } = useTimeline(sessionId)
  return useMemo(() => {
    const items = ids.flatMap((id) => item(id) ?? [])
    return workOfTurn(items, end.turnId)
  }, [ids, item, end])
}

function adviceOn(code: string, details: Failed['details']): string | undefined {
  if (code === 'agent_auth_required') return words.signIn
  return details && 'exitCode' in details ? words.afterCrash : undefined
}

function reasonOf(
  { stopReason, empty, by }: TurnEndItem,
  isMe: (by: string) => boolean,
): string | undefined {
  switch (stopReason) {
    case 'cancelled':
      if (by === undefined) return words.stoppedTurn
      return isMe(by) ? words.youStopped : words.stoppedOn(escapeInvisible(by))
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
