// One PostgreSQL server for the whole test run, started when the first test asks for it, in a folder that goes with it.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgres } from '../../scripts/tools/postgres-server.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** A Unix socket that answers with the folder of the server's socket. */
    readonly postgres: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  let server: Promise<PostgresServer> | undefined
  const asked = createServer((socket) => {
    server ??= startPostgres(folder)
    server.then(
      () => socket.end(JSON.stringify({ folder })),
      (error: Error) => socket.end(JSON.stringify({ error: error.message })),
    )
  })
  const address = join(folder, 'ask')
  asked.listen(address)
  await once(asked, 'listening')
  asked.unref()
  project.provide('postgres', address)
  return async () => {
    asked.close()
    const started = await server?.catch(() => undefined)
    await started?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
