// The functions behind the commands of the table, one file for each room. REST and the WebSocket call the same ones.
import type {
  feedCommands,
  Handlers,
  Table,
  terminalFeedCommands,
} from '@quayside/protocol/schemas'
import type { Caller } from '../http/access/principal.js'
import { type AccessDeps, access } from './access.js'
import { type AgentDeps, agents } from './agents.js'
import { type CloneDeps, clones } from './clones.js'
import type { ComparisonViewDeps } from '../comparisons/describe-comparison.js'
import { type HubsDeps, hubs } from './hubs.js'
import { comparisonHandlers } from './sessions/comparisons.js'
import { decisions } from './sessions/decisions.js'
import { type ForkDeps, forks } from './sessions/forks.js'
import { type PreviewDeps, previews } from './sessions/previews.js'
import { type ProcessDeps, processes } from './processes.js'
import { type PushDeps, push } from './push.js'
import { type ReachDeps, reach } from './reach.js'
import { type ReadingDeps, reading } from './sessions/reading.js'
import { type RepoDeps, repos } from './repos.js'
import { type SessionCommandDeps, sessions } from './sessions/sessions.js'
import { type StorageDeps, storage } from './storage.js'
import { type TerminalDeps, terminals } from './terminals.js'
import { type TurnDeps, turns } from './sessions/turns.js'
import { type WorkspaceDeps, workspaceHandlers } from './sessions/workspaces.js'

export type ApiDeps = AccessDeps &
  AgentDeps &
  CloneDeps &
  ComparisonViewDeps &
  ForkDeps &
  HubsDeps &
  PreviewDeps &
  ProcessDeps &
  PushDeps &
  ReachDeps &
  ReadingDeps &
  RepoDeps &
  SessionCommandDeps &
  StorageDeps &
  TerminalDeps &
  TurnDeps &
  WorkspaceDeps

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
    ...comparisonHandlers(deps),
    ...decisions(deps),
    ...forks(deps),
    ...hubs(deps),
    ...previews(deps),
    ...processes(deps),
    ...push(deps),
    ...reach(deps),
    ...reading(deps),
    ...repos(deps),
    ...sessions(deps),
    ...storage(deps),
    ...terminals(deps),
    ...turns(deps),
    ...workspaceHandlers(deps),
  }
}
