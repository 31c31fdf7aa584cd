// After a crash of the hub: sessions that say active have no agent any more. Appends the ends that are missing.
import type { EventBody, SessionEvent, Transcript } from '@quayside/protocol'
import type { Log } from '../log.js'
import type { Database } from '../store/database.js'
import type { EventLog } from './event-log.js'
import { foldLog } from './fold-log.js'

const MESSAGE = 'The hub stopped before the agent had finished.'

/** Runs before the hub serves; idempotent, because what it appends is what it looks for. */
export async function recoverSessions(db: Database, eventLog: EventLog, log: Log): Promise<void> {
  const rows = db.prepare("SELECT id FROM AgentSession WHERE status = 'active'").all() as {
    id: string
  }[]
  for (const { id } of rows) {
    const terminals = new Set<string>()
    const transcript = foldLog(eventLog, id, (event) => noteTerminal(terminals, event))
    const ends = [...terminalEnds(terminals), ...missingEnds(transcript)]
    await Promise.all(ends.map((body) => eventLog.append(id, body)))
    log.warn({ sessionId: id }, 'the hub ended without closing this session; it is now in error')
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

function missingEnds({ openPermissions, openQuestions, turn }: Transcript): EventBody[] {
  const permissions = [...openPermissions].map((permissionId): EventBody => {
    const outcome = { outcome: 'cancelled' } as const
    return { type: 'permission.resolved', data: { permissionId, outcome, reason: 'hub_crash' } }
  })
  const questions = [...openQuestions].map((questionId): EventBody => {
    return {
      type: 'question.answered',
      data: { questionId, action: 'cancel', reason: 'hub_crash' },
    }
  })
  // Prompts that were never sent keep waiting for the session to come back; what was sent is not sent again.
  const error = { code: 'hub_crash', message: MESSAGE }
  const turns: EventBody[] = turn
    ? [{ type: 'turn.ended', data: { turnId: turn.turnId, error } }]
    : []
  return [
    ...permissions,
    ...questions,
    ...turns,
    { type: 'agent.exited', data: { reason: 'hub_crash' } },
    { type: 'session.ended', data: { status: 'error', reason: 'hub_crash', message: MESSAGE } },
  ]
}
