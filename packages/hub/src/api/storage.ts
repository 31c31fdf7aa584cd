// Implements the commands for the disk: its use, the plan of a cleaning, and the cleaning.
import type { storageCommands } from '@quayside/protocol/schemas'
import { measureDiskUse } from '../store/disk-use.js'
import type { ApiDeps, Room } from './room.js'

type StorageDeps = Pick<ApiDeps, 'dataDir' | 'retention'>

export const storage: Room<typeof storageCommands, StorageDeps> = ({ dataDir, retention }) => ({
  'storage/get': async () => {
    const use = await measureDiskUse(dataDir)
    return { dataDir, ...use, reusableBytes: await retention.reusableBytes() }
  },
  'storage/plan': (policy) => retention.plan(policy),
  'storage/clean': async (policy) => retention.apply(await retention.plan(policy)),
})
