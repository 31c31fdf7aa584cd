// Sends an action on the work tree of a session, and keeps its result or its refusal.
import { ClientError } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import type { WorkspaceAction, WorkspaceResult } from '@quayside/protocol'
import { useState } from 'react'
import { problemOf } from '../../shared/problem.js'

export type Refusal = {
  /** True for a conflict, false for uncommitted changes. */
  readonly isConflict: boolean
  readonly paths: readonly string[]
  /** The work tree that has the uncommitted changes. */
  readonly workTree: unknown
}

type Acting =
  | { readonly is: 'ready'; readonly problem?: string }
  | { readonly is: 'sending' }
  | { readonly is: 'refused'; readonly sent: WorkspaceAction; readonly refusal: Refusal }
  | { readonly is: 'done'; readonly sent: WorkspaceAction; readonly result: WorkspaceResult }

export type WorkspaceActing = {
  readonly state: Acting
  readonly run: (action: WorkspaceAction) => void
  readonly reset: () => void
}

export function useWorkspaceAction(sessionId: string): WorkspaceActing {
  const { http } = useHub()
  const [state, setState] = useState<Acting>({ is: 'ready' })

  async function run(sent: WorkspaceAction) {
    setState({ is: 'sending' })
    try {
      const input = { sessionId, ...sent }
      const result = await http.call('POST /api/sessions/{sessionId}/workspace', input)
      setState({ is: 'done', sent, result })
    } catch (error) {
      const refusal = refusalOf(error)
      setState(
        refusal ? { is: 'refused', sent, refusal } : { is: 'ready', problem: problemOf(error) },
      )
    }
  }

  return { state, run: (action) => void run(action), reset: () => setState({ is: 'ready' }) }
}

function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ClientError)) return undefined
  const { code, details } = error
  const isConflict = code === 'merge_conflict'
  if (!isConflict && code !== 'workspace_dirty') return undefined
  const { paths, workTree } = details
  return { isConflict, paths: Array.isArray(paths) ? paths.map(String) : [], workTree }
}
