// People's terminals: opened, listed, written to, resized, closed. Their output is followed over the WebSocket (http/feeds).
import type { Handlers, terminalCommands } from '@quayside/protocol/schemas'
import type { Caller } from '../http/access/principal.js'
import type { SessionReader } from '../sessions/reading/session-reader.js'
import type { PeopleTerminals } from '../terminals/people/people-terminals.js'

export type TerminalDeps = {
  readonly terminals: PeopleTerminals
  readonly reader: Pick<SessionReader, 'requireRow'>
}

export function terminals({
  terminals,
  reader,
}: TerminalDeps): Handlers<typeof terminalCommands, Caller> {
  /** The folder that a session works in, also of one that has ended. */
  const folderOf = async (sessionId: string) => {
    const { repoId, settings } = await reader.requireRow(sessionId)
    return { repoId, sessionId, ...(settings.cwd !== undefined && { cwd: settings.cwd }) }
  }
  return {
    'terminal/list': () => ({ terminals: terminals.list() }),
    'terminal/create': async ({ repoId, sessionId, ...input }) => {
      const folder = sessionId === undefined ? { repoId: repoId ?? '' } : await folderOf(sessionId)
      return terminals.create({ ...folder, ...input })
    },
    'terminal/get': ({ terminalId }) => terminals.require(terminalId),
    'terminal/close': ({ terminalId }) => terminals.end(terminalId),
    'terminal/input': ({ terminalId, data }) => terminals.write(terminalId, data),
    'terminal/resize': ({ terminalId, ...size }) => terminals.resize(terminalId, size),
  }
}
