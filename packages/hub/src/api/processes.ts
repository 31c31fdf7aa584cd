// The processes that the hub keeps: which run, for which session, how much they use, and their end.
import type { Terminal } from '@quayside/protocol'
import type { Handlers, processCommands, RunningProcess } from '@quayside/protocol/schemas'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import { HubError } from '../errors.js'
import type { Caller } from '../http/access/principal.js'
import type { Sessions } from '../sessions/sessions.js'
import type { PeopleTerminals } from '../terminals/people/people-terminals.js'

export type ProcessDeps = {
  readonly agents: AgentRuntime
  readonly sessions: Sessions
  readonly terminals: PeopleTerminals
}

export function processes(deps: ProcessDeps): Handlers<typeof processCommands, Caller> {
  return {
    'process/list': () => ({ processes: listProcesses(deps) }),
    'process/stop': async ({ pid }, { by }) => {
      await stop(deps, Number(pid), by)
      return { processes: listProcesses(deps) }
    },
  }
}

/** Oldest first. */
function listProcesses({ agents, terminals }: ProcessDeps): RunningProcess[] {
  const running = terminals.list().filter(({ exit }) => exit === null)
  const all = [...agents.listProcesses(), ...running.map(terminalProcess)]
  return all.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
}

function terminalProcess({ pid, label, sessionId, startedAt, cwd }: Terminal): RunningProcess {
  const sessionIds = sessionId === null ? [] : [sessionId]
  return { pid, kind: 'terminal', name: label, sessionIds, startedAt, labels: { cwd } }
}

/** Cancels the sessions that an agent works for, too. */
async function stop(
  { agents, sessions, terminals }: ProcessDeps,
  pid: number,
  by: string,
): Promise<void> {
  const terminal = terminals.list().find((one) => one.pid === pid && one.exit === null)
  if (terminal) return terminals.end(terminal.id)
  const process = agents.findProcess(pid)
  if (process === undefined) throw new HubError('process_not_found', { pid })
  await Promise.all(process.sessionIds.map((id) => sessions.end(id, 'cancelled', by)))
  await process.stop()
}
