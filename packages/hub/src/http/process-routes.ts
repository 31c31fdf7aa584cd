// REST for the processes that the hub keeps: what runs, for which session, what it takes, and its end.
import type { Terminal } from '@quayside/protocol'
import type { RunningProcess } from '@quayside/protocol/schemas'
import { Router } from 'express'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import { HubError } from '../errors.js'
import type { Sessions } from '../sessions/sessions.js'
import type { PeopleTerminals } from '../terminals/people-terminals.js'
import { principalOf } from './principal.js'

export type ProcessDeps = {
  readonly agents: AgentRuntime
  readonly sessions: Sessions
  readonly terminals: PeopleTerminals
}

export function processRoutes(deps: ProcessDeps): Router {
  const routes = Router()

  routes.get('/', (_request, response) => {
    response.json({ processes: listProcesses(deps) })
  })

  routes.post('/:pid/stop', async (request, response) => {
    await stop(deps, Number(request.params.pid), principalOf(request).name)
    response.json({ processes: listProcesses(deps) })
  })

  return routes
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

/** The sessions that an agent works for are cancelled with it. */
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
