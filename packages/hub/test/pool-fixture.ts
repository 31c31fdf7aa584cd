// The lists of extensions and processes, for the tests of warm and shared processes.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Extension } from '@quayside/protocol'
import type { RunningProcess } from '@quayside/protocol/schemas'
import { vi } from 'vitest'
import type { TestHub } from './test-hub.js'

export const POOLED = fileURLToPath(new URL('pooled-extensions', import.meta.url))
export const FAILING = fileURLToPath(new URL('failing-extensions', import.meta.url))

export async function findExtension(hub: TestHub, id: string): Promise<Extension> {
  const { extensions } = await hub.get<{ extensions: Extension[] }>('/api/extensions')
  return extensions.find((extension) => extension.id === id)!
}

export async function listProcesses(hub: TestHub, extensionId?: string): Promise<RunningProcess[]> {
  const { processes } = await hub.get<{ processes: RunningProcess[] }>('/api/processes')
  return processes.filter((one) => extensionId === undefined || one.extensionId === extensionId)
}

/** Polls, because there is no event for it. */
export function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 20_000, interval: 20 })
}

/** The process that is ready for a session of this extension. */
export function waitingProcess(hub: TestHub, extensionId: string): Promise<RunningProcess> {
  return eventually(async () => {
    const found = await listProcesses(hub, extensionId)
    const waiting = found.find(({ sessionIds }) => sessionIds.length === 0)
    if (waiting === undefined) throw new Error(`no ${extensionId} process waits`)
    return waiting
  })
}

/** A zombie counts as ended. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
