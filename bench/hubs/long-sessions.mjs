// Long sessions in one data directory. Writing them takes a while: the benchmarks of one run share them.
import { seedSessions } from './seed.mjs'
import { Workspace } from './workspace.mjs'

const made = new Map()

/** `lengths`: of sessions in short turns; `turn`: of a session that is one turn. */
export function longSessions({ lengths, turn }) {
  const key = JSON.stringify([lengths, turn])
  if (!made.has(key)) made.set(key, make(lengths, turn))
  return made.get(key)
}

async function make(lengths, turn) {
  const workspace = new Workspace()
  const sizes = [...lengths.map((events) => ({ events })), { events: turn, isOneTurn: true }]
  const ids = await seedSessions(workspace, sizes)
  return {
    workspace,
    sessions: sizes.map(({ events, isOneTurn }, index) => ({
      id: ids[index],
      events,
      what: `${events} events${isOneTurn ? ', one turn' : ''}`,
    })),
  }
}
