// REST for trying agents out.
import { Router } from 'express'
import type { Probes } from '../agents/probe/probes.js'

/** For `/api/extensions`, behind the sign-in. */
export function probeRoutes(probes: Probes): Router {
  const routes = Router()

  routes.post('/:id/probe', async (request, response) => {
    response.json(await probes.probe(request.params.id))
  })

  return routes
}
