// The end of a turn: its duration, its changes, and the stop reason unless it ended normally.
import { useSession, useTimeline } from '@quayside/client/react'
import {
  asPlainText,
  escapeInvisible,
  type Failure as Failed,
  type TurnEndItem,
} from '@quayside/protocol'
import { useMemo } from 'react'
import { showPanel } from '../../shared/panel-location.js'
import { agentPath, Link } from '../../shared/route.js'
import { duration } from '../../shared/text/times.js'
import { hubSentence, strings } from '../../strings/strings.js'
import { undoWords } from '../../strings/undo-words.js'
import { LineCounts } from '../../shared/controls/line-counts.js'
import { Failure } from './notice.js'
import { useSessionContext } from '../context/session-context.js'
import { workOfTurn, type TurnWork } from './turn-work.js'
import { useActedHere } from '../context/acted-here.js'
import { ForkTurn } from '../fork/fork-turn.js'
import { UndoTurn } from '../undo/undo-turn.js'
import { useUndoneTurns } from '../undo/undone-turns.js'

const words = strings.session

const SHOWN_FROM_MS = 100

export function TurnEnd({ item }: { item: TurnEndItem }) {
  const { compose, sessionId } = useSessionContext()
  const isMe = useActedHere()
  const work = useTurnWork(item)
  const isUndone = useUndoneTurns().some(({ turnId }) => turnId === item.turnId)
  const { error, durationMs, stopReason, turnId } = item
  // The files of shared turns are those of the session that was forked.
  const isOwn = item.seq > (useSession(sessionId).info?.forkedFrom?.seq ?? 0)
  const undo = compose && turnId && isOwn && work.mayHaveChanged && !isUndone && (
    <UndoTurn turnId={turnId} />
  )
  const fork = compose && turnId !== undefined && <ForkTurn turnId={turnId} />
  if (error) {
    const { details, code, message } = error
    return (
      <>
        <Failure
          message={asPlainText(hubSentence(message))}
          advice={adviceOn(code, details)}
          output={details?.['acp'] ?? details?.['stderrTail']}
          action={code === 'agent_auth_required' ? <SignInToAgent /> : undefined}
        />
        {(undo || fork) && (
          <div className="turn-end">
            {undo}
            {fork}
          </div>
        )}
      </>
    )
  }
  const took =
    durationMs !== undefined && durationMs >= SHOWN_FROM_MS ? duration(durationMs) : undefined
  const read = work.read > 0 ? words.filesRead(work.read) : undefined
  const changed = work.changed > 0 ? words.filesChanged(work.changed) : undefined
  const undone = isUndone ? undoWords.isUndone : undefined
  const parts = [reasonOf(item, isMe), took, undone, read, changed].filter(
    (part) => part !== undefined,
  )
  if (parts.length === 0 && !undo && !fork) return null
  return (
    <div className="turn-end" data-testid="turn-end">
      <span>
        {parts.join(' · ')}{' '}
        {work.changed > 0 && <LineCounts added={work.added} removed={work.removed} />}
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
      {undo}
      {fork}
      {compose && (stopReason === 'max_turn_requests' || stopReason === 'max_tokens') && (
        <button type="button" className="quiet-button" onClick={() => compose(words.continueIt)}>
          {words.continueIt}
        </button>
      )}
    </div>
  )
}

function SignInToAgent() {
  const { sessionId } = useSessionContext()
  const { info } = useSession(sessionId)
  return (
    <Link className="button small" href={agentPath(info?.extensionId ?? '')}>
      {strings.agents.signIn}
    </Link>
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
  { stopReason, empty, by, reason }: TurnEndItem,
  isMe: (by: string) => boolean,
): string | undefined {
  switch (stopReason) {
    case 'cancelled':
      if (reason === 'decision_timeout') return words.timedOutTurn
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
