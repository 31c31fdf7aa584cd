// Starts a command of a repository in a session's work tree, in a terminal of the session that people see.
import type { PeopleTerminals } from '../terminals/people/people-terminals.js'

export type CommandRequest = {
  readonly sessionId: string
  readonly repoId: string
  /** The work tree. */
  readonly path: string
  readonly command: string
}

/** The hub waits this long for the end of a command. */
export const MAX_COMMAND_MS = 30 * 60_000
const SIZE = { cols: 120, rows: 30 }

/** Returns the id of the terminal. */
export async function startCommand(
  terminals: Pick<PeopleTerminals, 'create'>,
  { sessionId, repoId, path, command }: CommandRequest,
): Promise<string> {
  const shell = { command: '/bin/sh', args: ['-c', command] }
  const { id } = await terminals.create({ repoId, sessionId, repository: path, ...shell, ...SIZE })
  return id
}
