// REST for people's terminals: opened, listed, closed. Their output and input go over the WebSocket (terminal-socket.ts).
import { createTerminalSchema } from '@quayside/protocol/schemas'
import { Router } from 'express'
import type { SessionReader } from '../sessions/reading/session-reader.js'
import type { PeopleTerminals } from '../terminals/people-terminals.js'

export type TerminalDeps = {
  readonly terminals: PeopleTerminals
  readonly reader: Pick<SessionReader, 'requireRow'>
}

/** For `/api/terminals`, behind the sign-in. */
export function terminalRoutes({ terminals, reader }: TerminalDeps): Router {
  const routes = Router()

  routes.get('/', (_request, response) => {
    response.json({ terminals: terminals.list() })
  })

  routes.post('/', async (request, response) => {
    const { repoId, sessionId, ...wish } = createTerminalSchema.parse(request.body)
    const place = sessionId === undefined ? { repoId: repoId ?? '' } : await placeOf(sessionId)
    response.status(201).json(await terminals.create({ ...place, ...wish }))
  })

  routes.get('/:id', (request, response) => {
    response.json(terminals.require(request.params.id))
  })

  routes.delete('/:id', async (request, response) => {
    await terminals.end(request.params.id)
    response.status(204).end()
  })

  /** Where a session works, also one that has ended. */
  async function placeOf(sessionId: string) {
    const { repoId, settings } = await reader.requireRow(sessionId)
    return { repoId, sessionId, ...(settings.cwd !== undefined && { cwd: settings.cwd }) }
  }

  return routes
}
