// REST for the care of the data: what takes room, what a cleaning would free, and the cleaning itself.
import { retentionPolicySchema } from '@quayside/protocol/schemas'
import { Router } from 'express'
import type { Retention } from '../sessions/upkeep/retention.js'
import { measureDiskUse } from '../store/disk-use.js'

export type StorageDeps = { readonly dataDir: string; readonly retention: Retention }

/** For `/api/storage`, behind the sign-in. */
export function storageRoutes({ dataDir, retention }: StorageDeps): Router {
  const routes = Router()

  routes.get('/', async (_request, response) => {
    const use = await measureDiskUse(dataDir)
    response.json({ dataDir, ...use, reusableBytes: await retention.reusableBytes() })
  })

  routes.post('/plan', async (request, response) => {
    const plan = await retention.plan(retentionPolicySchema.parse(request.body))
    response.json({
      ...plan,
      sessions: plan.sessions.map((session) => ({
        ...session,
        endedAt: new Date(session.endedAt).toISOString(),
      })),
    })
  })

  routes.post('/clean', async (request, response) => {
    const plan = await retention.plan(retentionPolicySchema.parse(request.body))
    response.json(await retention.apply(plan))
  })

  return routes
}
