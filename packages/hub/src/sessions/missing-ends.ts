// The ends that a log lacks because they could not be stored when they happened: the hub was killed, or the disk was full.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventBody, EventData, Failure, SessionEvent, Transcript } from '@quayside/protocol'
import type { EventLog } from './event-log.js'
import { foldLog } from './fold-log.js'

/** How the session ended, and what is said of that which was open in it. */
export type LastWords = {
  readonly ended: EventData['session.ended']
  readonly exited: EventData['agent.exited']
  /** Of a turn whose own end is not known any more. */
  readonly failure: Failure
  readonly reason: 'hub_crash' | 'agent_exited'
}

const RETRY_MS = { first: 500, longest: 30_000 }

/** All in one commit, the session's own end last. Idempotent, because what it appends is what it looks for. */
export async function appendMissingEnds(
  eventLog: EventLog,
  id: string,
  words: LastWords,
): Promise<void> {
  const terminals = new Set<string>()
  const transcript = foldLog(eventLog, id, (event) => noteTerminal(terminals, event))
  const ends = [...terminalEnds(terminals), ...missingEnds(transcript, words)]
  await Promise.all(ends.map((body) => eventLog.append(id, body)))
}

/** Tries until it is stored, ever more seldom; rejects when the hub closes first. Then the next start finds what is missing. */
export async function retryUntilStored(
  store: () => Promise<void>,
  closing: AbortSignal,
): Promise<void> {
  for (let delayMs = RETRY_MS.first; ; delayMs = Math.min(delayMs * 2, RETRY_MS.longest)) {
    await sleep(delayMs, undefined, { signal: closing })
    try {
      return await store()
    } catch {
      // The event log has said why.
    }
  }
}

function noteTerminal(open: Set<string>, event: SessionEvent): void {
  if (event.type === 'terminal.opened') open.add(event.data.terminalId)
  if (event.type === 'terminal.exited') open.delete(event.data.terminalId)
}

function terminalEnds(open: ReadonlySet<string>): EventBody[] {
  return [...open].map((terminalId) => ({
    type: 'terminal.exited',
    data: { terminalId, exitCode: null, signal: null },
  }))
}

function missingEnds(
  { openPermissions, openQuestions, turn, agent }: Transcript,
  { ended, exited, failure, reason }: LastWords,
): EventBody[] {
  const permissions = [...openPermissions].map((permissionId): EventBody => {
    const outcome = { outcome: 'cancelled' } as const
    return { type: 'permission.resolved', data: { permissionId, outcome, reason } }
  })
  const questions = [...openQuestions].map((questionId): EventBody => {
    return { type: 'question.answered', data: { questionId, action: 'cancel', reason } }
  })
  // Prompts that were never sent keep waiting for the session to come back; what was sent is not sent again.
  const turns: EventBody[] = turn
    ? [{ type: 'turn.ended', data: { turnId: turn.turnId, error: failure } }]
    : []
  return [
    ...permissions,
    ...questions,
    ...turns,
    ...(agent === null ? [] : [{ type: 'agent.exited', data: exited } as const]),
    { type: 'session.ended', data: ended },
  ]
}
