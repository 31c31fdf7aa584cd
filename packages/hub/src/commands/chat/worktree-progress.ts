// Shows on stderr how many files of a new work tree are written, while a session starts. Only at a terminal.
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorktreeInProgress } from '@quayside/protocol'
import type { CommandIo } from '../io/command-io.js'
import type { HubAccess } from '../io/hub-access.js'
import { ERASE_LINE } from './activity-line.js'

type Progress = {
  readonly hub: HubAccess
  readonly repoId: string
  readonly json?: boolean | undefined
  readonly io: CommandIo
}

const LOOK_AGAIN_MS = 100

/** `start` creates one or several sessions. */
export async function withWorktreeProgress<T>(
  start: () => Promise<T>,
  { hub, repoId, json = false, io }: Progress,
): Promise<T> {
  if (json || !io.stderr.isTTY) return start()
  const done = new AbortController()
  const showing = show({ hub, repoId, io }, done.signal)
  try {
    return await start()
  } finally {
    done.abort()
    await showing
  }
}

/** A hub that does not answer shows nothing. */
async function show({ hub, repoId, io }: Progress, signal: AbortSignal): Promise<void> {
  let isShown = false
  try {
    for (;;) {
      const input = { repoId }
      const call = hub.client.http.call('GET /api/repos/{repoId}/worktrees', input, { signal })
      const line = describe((await call).worktrees)
      if (line !== undefined) io.stderr.write(ERASE_LINE + line)
      isShown ||= line !== undefined
      await sleep(LOOK_AGAIN_MS, undefined, { signal })
    }
  } catch {
    if (isShown) io.stderr.write(ERASE_LINE)
  }
}

function describe(worktrees: readonly WorktreeInProgress[]): string | undefined {
  const counts = worktrees.flatMap(({ files }) => files ?? [])
  if (counts.length === 0) return undefined
  const done = counts.reduce((sum, files) => sum + files.done, 0)
  const total = counts.reduce((sum, files) => sum + files.total, 0)
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const what = worktrees.length === 1 ? 'a work tree' : `${worktrees.length} work trees`
  return `Making ${what}: ${percent} % (${done} of ${total} files)`
}
