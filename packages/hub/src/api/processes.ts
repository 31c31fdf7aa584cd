// Implements the commands for processes that the hub keeps, and for previews of the ports that they listen on.
import type { Terminal } from '@quayside/protocol'
import type { processCommands, RunningProcess } from '@quayside/protocol/schemas'
import { HubError } from '../errors.js'
import type { ApiDeps, Room } from './room.js'

export const processes: Room<typeof processCommands> = (deps) => ({
  'process/list': () => ({ processes: listProcesses(deps) }),
  'process/stop': async ({ pid }, { by }) => {
    await stop(deps, Number(pid), by)
    return { processes: listProcesses(deps) }
  },
  'preview/list': ({ sessionId }) => ({
    ports: deps.previews.list(sessionId).map(({ port, program }) => ({ port, program })),
  }),
  'preview/open': async ({ sessionId, port }, { isForwarded }) => {
    const { previews, cluster } = deps
    const opened = await previews.open(sessionId, port)
    // The browser has the page from another machine.
    const hostname = isForwarded ? cluster?.hostname : undefined
    if (hostname === undefined) return opened
    return { ...opened, origin: `${previews.scheme}://${hostname}:${opened.port}` }
  },
})

/** Oldest first. */
function listProcesses({ agents, terminals }: ApiDeps): RunningProcess[] {
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
  { agents, sessions, terminals }: ApiDeps,
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
