// The files of the work trees that are being made in a repository: how many are written. Asked for again and again, because the command that
// makes them answers at the end.
import { useHub } from '@quayside/client/react'
import type { WorktreeInProgress } from '@quayside/protocol'
import { type ReactNode, useEffect, useState } from 'react'
import { strings } from '../strings/strings.js'

const words = strings.workspace

type WrittenFiles = NonNullable<WorktreeInProgress['files']>

const LOOK_AGAIN_MS = 250

type WorktreeProgressProps = {
  readonly repoId: string
  /** Shown while no file is being written. */
  readonly children: ReactNode
}

export function WorktreeProgress({ repoId, children }: WorktreeProgressProps) {
  const files = useWrittenFiles(repoId)
  if (files === undefined) return children
  return (
    <>
      <span role="status">{words.making}</span>
      <progress aria-label={words.filesWritten} max={files.total} value={files.done} />
      <span className="waiting-count">{words.filesDone(files.done, files.total)}</span>
    </>
  )
}

function useWrittenFiles(repoId: string): WrittenFiles | undefined {
  const { http } = useHub()
  const [files, setFiles] = useState<WrittenFiles>()

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      const call = http.call('GET /api/repos/{repoId}/worktrees', { repoId }, { signal })
      setFiles(sumOf((await call).worktrees))
      timer = setTimeout(next, LOOK_AGAIN_MS)
    }
    // After a failure the line stays without a measure.
    const next = () => void look().catch(() => setFiles(undefined))
    next()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [http, repoId])

  return files
}

/** A comparison makes several at once. */
function sumOf(worktrees: readonly WorktreeInProgress[]): WrittenFiles | undefined {
  const counts = worktrees.flatMap(({ files }) => files ?? [])
  if (counts.length === 0) return undefined
  return {
    done: counts.reduce((sum, { done }) => sum + done, 0),
    total: counts.reduce((sum, { total }) => sum + total, 0),
  }
}
