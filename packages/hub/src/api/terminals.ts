// Implements the commands for people's terminals. Their output is followed over the WebSocket (http/feeds).
import type { terminalCommands } from '@quayside/protocol/schemas'
import type { Room } from './room.js'

export const terminals: Room<typeof terminalCommands> = (deps) => {
  const { terminals, reader, workspaces, cluster } = deps
  /** The folder that a session works in, also of one that has ended. */
  const folderOf = async (sessionId: string) => {
    const row = await reader.requireRow(sessionId)
    const { repoId, settings } = row
    const repository = workspaces.require(row)
    return { repoId, sessionId, repository, ...(settings.cwd && { cwd: settings.cwd }) }
  }
  return {
    'terminal/list': async (_input, caller) => {
      // Another hub asks for its own list.
      const others = caller.isForwarded ? [] : ((await cluster?.terminalsElsewhere(caller)) ?? [])
      return { terminals: [...terminals.list(), ...others] }
    },
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
