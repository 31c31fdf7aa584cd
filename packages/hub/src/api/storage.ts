// Implements the commands for the disk: its use, the plan of a cleaning, and the cleaning.
import type { Handlers, storageCommands } from '@quayside/protocol/schemas'
import type { Caller } from '../http/access/principal.js'
import type { Retention } from '../sessions/upkeep/retention.js'
import { measureDiskUse } from '../store/disk-use.js'

export type StorageDeps = { readonly dataDir: string; readonly retention: Retention }

export function storage({
  dataDir,
  retention,
}: StorageDeps): Handlers<typeof storageCommands, Caller> {
  return {
    'storage/get': async () => {
      const use = await measureDiskUse(dataDir)
      return { dataDir, ...use, reusableBytes: await retention.reusableBytes() }
    },
    'storage/plan': (policy) => retention.plan(policy),
    'storage/clean': async (policy) => retention.apply(await retention.plan(policy)),
  }
}
