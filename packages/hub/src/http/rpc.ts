// Serves the commands of the table over the WebSocket as JSON-RPC: checks the scope, parses, calls the command's function.
import { SOCKET_REQUESTS } from '@quayside/protocol/schemas'
import { type Api, requireFunction } from '../api/api.js'
import { requireShallow } from '../input-depth.js'
import { requireScope } from './access/principal.js'
import type { FeedCommands } from './feeds/feed-commands.js'
import type { RpcMethod } from './feeds/feed-socket.js'
import type { Forwarding } from './forwarding.js'

/** The same for all sockets: the state of one socket is kept by that socket. */
export function rpcMethods(
  api: Api,
  feeds: FeedCommands,
  forwarding?: Forwarding,
): ReadonlyMap<string, RpcMethod> {
  const functions = { ...api, ...feeds }
  const methods = new Map<string, RpcMethod>()
  for (const [name, { command, params }] of SOCKET_REQUESTS) {
    const run = requireFunction(functions, name)
    methods.set(name, (given, socket) => {
      requireScope(socket, command.scope)
      const input = params.parse(requireShallow(given))
      const elsewhere = forwarding?.find(name, command, input)
      return elsewhere ? elsewhere(socket, given, () => run(input, socket)) : run(input, socket)
    })
  }
  return methods
}
