// Serves some functions of the table of commands on a port of their own, to a caller who may do everything.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import pino from 'pino'
import type { Api } from '../src/api/api.js'
import { setCaller } from '../src/http/access/principal.js'
import { errorResponse } from '../src/http/error-response.js'
import type { Raw } from '../src/http/raw/raw.js'
import { restRoutes } from '../src/http/rest.js'

export type CommandServer = AsyncDisposable & { readonly address: string }

export async function serveCommands(functions: {
  readonly api?: Partial<Api>
  readonly raw?: Partial<Raw>
}): Promise<CommandServer> {
  const app = express()
  app.use((request, _response, next) => {
    setCaller(request, { by: 'test', scope: 'admin' })
    next()
  })
  app.use(restRoutes({ api: {}, raw: {}, ...functions }, 'signed-in'))
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
