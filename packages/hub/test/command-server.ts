// Serves the given functions of the table of commands, and no others, on a port of their own. The caller may do everything.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { REST_COMMANDS } from '@quayside/protocol/schemas'
import express, { Router } from 'express'
import pino from 'pino'
import type { Api, CommandFunction } from '../src/api/api.js'
import { setCaller } from '../src/http/access/principal.js'
import { errorResponse } from '../src/http/error-response.js'
import type { Raw } from '../src/api/room.js'
import { addRoute } from '../src/http/rest.js'

export type CommandServer = AsyncDisposable & { readonly address: string }

export async function serveCommands({
  api,
  raw,
}: {
  readonly api?: Partial<Api>
  readonly raw?: Partial<Raw>
}): Promise<CommandServer> {
  const app = express()
  app.use((request, _response, next) => {
    setCaller(request, { by: 'test', scope: 'admin' })
    next()
  })
  const routes = Router()
  for (const [name, run] of Object.entries({ ...api, ...raw })) {
    const command = REST_COMMANDS.get(name)
    if (command) addRoute(routes, command, { run: run as CommandFunction })
  }
  app.use(routes)
  app.use(errorResponse(pino({ level: 'silent' })))
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
