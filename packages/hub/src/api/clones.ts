// Implements the commands that clone a repository.
import type { cloneCommands, Handlers } from '@quayside/protocol/schemas'
import type { Caller } from '../http/access/principal.js'
import type { Clones } from '../repos/clone/clones.js'

export type CloneDeps = { readonly clones: Clones }

export function clones({ clones }: CloneDeps): Handlers<typeof cloneCommands, Caller> {
  return {
    'clone/start': (request) => clones.start(request),
    'clone/list': () => ({ clones: clones.list() }),
    'clone/get': ({ cloneId }) => clones.require(cloneId),
    'clone/cancel': ({ cloneId }) => clones.cancel(cloneId),
  }
}
