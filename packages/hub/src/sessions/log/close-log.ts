// Appends the closing events that a log lacks because they could not be stored: the hub was killed, or the disk was full.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventBody, EventData, Failure, Transcript } from '@quayside/protocol'
import { type Log, logRejection } from '../../log.js'
import { describeCause } from '../../process/end-cause.js'
import { isLogMoved, isNotOwned, NotOwnedError } from '../../store/storage-error.js'
import type { EventLog } from './event-log.js'
import type { Projection } from './projection.js'

/** The reason of the end, and the outcome of everything that was open. */
export type ClosingEvents = {
  readonly ended: EventData['session.ended']
  readonly exited: EventData['agent.exited']
  /** For a turn whose own end is no longer known. */
  readonly failure: Failure
  readonly reason: 'hub_crash' | 'agent_exited'
  /** For prompts that wait. Without it they wait until the session is resumed. */
  readonly unsent?: Failure
  /** Of a session of this hub: they are not the ends of one that another hub has resumed since. */
  readonly isOwn?: boolean
}

/** For prompts that a session which ends on request never sends. */
export const SESSION_ENDED: Failure = {
  code: 'session_ended',
  message: 'The session ended before this prompt was sent.',
}

const NOT_STORED = 'How this turn ended could not be stored.'
const RETRY_MS = { first: 500, longest: 5_000 }

/**
 * Appends them in one commit, the session's own end last. Idempotent: it appends only what it does not find, and looks again when
 * somebody else has written the log meanwhile. Appends nothing to a session that has ended: returns false then.
 */
export async function appendMissingEnds(
  { eventLog, projection }: LogEndDeps,
  id: string,
  closing: ClosingEvents,
): Promise<boolean> {
  try {
    for (;;) {
      const transcript = await projection.load(id)
      if (transcript.status !== 'active') return false
      const { seq } = transcript
      if (closing.isOwn && (await eventLog.isTaken(id)))
        throw new NotOwnedError(`Another hub has taken session ${id} over.`)
      const ends = [...terminalEnds(transcript), ...missingEnds(transcript, closing)]
      const appended = ends.map((body, index) => eventLog.append(id, body, { after: seq + index }))
      const results = await Promise.allSettled(appended)
      const refused = results.find((result) => result.status === 'rejected')
      if (refused === undefined) return true
      if (!isLogMoved(refused.reason)) throw refused.reason
      projection.forget(id)
    }
  } finally {
    // Another hub may write the log from now on.
    projection.forget(id)
  }
}

export type LogEndDeps = {
  readonly eventLog: EventLog
  readonly projection: Pick<Projection, 'load' | 'forget'>
}

/** A session that has ended, except for the end of its log. */
export type EndedSession = LogEndDeps & {
  readonly id: string
  readonly append: (body: EventBody) => Promise<unknown>
  /** Aborts when the hub closes. */
  readonly closing: AbortSignal
  readonly log: Log
  readonly onEnd: () => void
}

/** Rejects when the end cannot be stored at once, and retries in the background; `onEnd` is called when it is stored. */
export async function storeEnd(
  { id, eventLog, projection, append, closing, log, onEnd }: EndedSession,
  {
    ended,
    exited,
    hasGaps,
  }: Pick<ClosingEvents, 'ended' | 'exited'> & { readonly hasGaps: boolean },
): Promise<void> {
  const failure = turnFailure(ended)
  const events: ClosingEvents = { ended, exited, failure, reason: 'agent_exited', isOwn: true }
  const storeAll = async (): Promise<void> => {
    // Another hub may have ended it after this one lost its lease.
    projection.forget(id)
    await appendMissingEnds({ eventLog, projection }, id, events)
  }
  try {
    await (hasGaps ? storeAll() : append({ type: 'session.ended', data: ended }))
  } catch (error) {
    const stored = retryUntilStored(storeAll, closing).then(onEnd)
    logRejection(log, 'storing the end of the session', stored)
    throw error
  }
  onEnd()
}

/** A turn that failed with its session has the same reason. */
function turnFailure({ reason, message }: EventData['session.ended']): Failure {
  return reason === 'lease_lost'
    ? { code: reason, message: describeCause(reason) }
    : { code: 'storage_failed', message: message ?? NOT_STORED }
}

/**
 * With growing pauses. Rejects when the hub closes first: recovery at the next start appends the rest. Gives up when another hub has
 * the session.
 */
async function retryUntilStored(store: () => Promise<void>, closing: AbortSignal): Promise<void> {
  for (let delayMs = RETRY_MS.first; ; delayMs = Math.min(delayMs * 2, RETRY_MS.longest)) {
    await sleep(delayMs, undefined, { signal: closing })
    try {
      return await store()
    } catch (error) {
      // The event log has logged the reason.
      if (isNotOwned(error)) return
    }
  }
}

/** The events that the log of a session lacks whose machine is gone. `message` is for people. */
export function lostEnds(message: string, machine = 'The machine of the session'): ClosingEvents {
  return {
    ended: { status: 'error', reason: 'hub_lost', message },
    exited: { reason: 'hub_crash' },
    failure: {
      code: 'hub_lost',
      message: `${machine} stopped answering before the agent had finished.`,
    },
    reason: 'hub_crash',
  }
}

/** The same for a session that is ended on request before another hub has taken it over. */
export function requestedEnds(ended: EventData['session.ended'], message: string): ClosingEvents {
  return { ...lostEnds(message), ended, unsent: SESSION_ENDED }
}

function terminalEnds({ terminals }: Transcript): EventBody[] {
  const running = [...terminals.values()].filter(({ isRunning }) => isRunning)
  return running.map(({ terminalId }) => ({
    type: 'terminal.exited',
    data: { terminalId, exitCode: null, signal: null },
  }))
}

function missingEnds(
  { openPermissions, openQuestions, turn, agent, queue }: Transcript,
  { ended, exited, failure, reason, unsent }: ClosingEvents,
): EventBody[] {
  const permissions = [...openPermissions].map((permissionId): EventBody => {
    const outcome = { outcome: 'cancelled' } as const
    return { type: 'permission.resolved', data: { permissionId, outcome, reason } }
  })
  const questions = [...openQuestions].map((questionId): EventBody => {
    return { type: 'question.answered', data: { questionId, action: 'cancel', reason } }
  })
  // A turn with `turn.started` is closed, even if its prompt did not reach the agent; a prompt without it stays queued.
  const turns: EventBody[] = turn
    ? [{ type: 'turn.ended', data: { turnId: turn.turnId, error: failure } }]
    : []
  const unsentTurns = [...queue].flatMap(({ turnId }): EventBody[] =>
    unsent === undefined ? [] : [{ type: 'turn.ended', data: { turnId, error: unsent } }],
  )
  // An idle session loses nothing with its hub, and goes on when somebody writes to it.
  const open = [...permissions, ...questions, ...turns]
  const wasInterrupted = open.length > 0 || reason !== 'hub_crash' || unsent !== undefined
  return [
    ...open,
    ...unsentTurns,
    ...(agent === null ? [] : [{ type: 'agent.exited', data: exited } as const]),
    {
      type: 'session.ended',
      data: wasInterrupted ? ended : { ...ended, details: { wasIdle: true } },
    },
  ]
}
