// The functions behind the commands of the table, one file for each room. REST and the WebSocket call the same ones.
import type {
  feedCommands,
  Handlers,
  Table,
  terminalFeedCommands,
} from '@quayside/protocol/schemas'
import type { Caller } from '../http/access/principal.js'
import { access } from './access.js'
import { agents } from './agents.js'
import { clones } from './clones.js'
import { hubs } from './hubs.js'
import { processes } from './processes.js'
import { push } from './push.js'
import { repos } from './repos.js'
import { storage } from './storage.js'
import { terminals } from './terminals.js'
import { comparisons } from './sessions/comparisons.js'
import { decisions } from './sessions/decisions.js'
import { reading } from './sessions/reading.js'
import { sessions } from './sessions/sessions.js'
import { turns } from './sessions/turns.js'
import { workspaces } from './sessions/workspaces.js'
import type { ApiDeps } from './room.js'

/** The commands that a socket serves need the socket itself; they are in http/feeds. */
type SocketOnly = keyof typeof feedCommands | keyof typeof terminalFeedCommands
export type Api = Handlers<Omit<Table, SocketOnly>, Caller>

export type CommandFunction = (input: object, context: object) => unknown

/** Throws when a command has no function, so that the hub does not start without one. */
export function requireFunction(functions: object, name: string): CommandFunction {
  const found = (functions as Readonly<Record<string, CommandFunction>>)[name]
  if (found === undefined) throw new Error(`The command ${name} has no function.`)
  return found
}

export function createApi(deps: ApiDeps): Api {
  return {
    ...access(deps),
    ...agents(deps),
    ...clones(deps),
    ...comparisons(deps),
    ...decisions(deps),
    ...hubs(deps),
    ...processes(deps),
    ...push(deps),
    ...reading(deps),
    ...repos(deps),
    ...sessions(deps),
    ...storage(deps),
    ...terminals(deps),
    ...turns(deps),
    ...workspaces(deps),
  }
}
