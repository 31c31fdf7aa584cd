// Implements the commands that clone a repository.
import type { cloneCommands } from '@quayside/protocol/schemas'
import type { Room } from './room.js'

export const clones: Room<typeof cloneCommands> = ({ clones }) => ({
  'clone/start': (request) => clones.start(request),
  'clone/list': () => ({ clones: clones.list() }),
  'clone/get': ({ cloneId }) => clones.require(cloneId),
  'clone/cancel': ({ cloneId }) => clones.cancel(cloneId),
})
