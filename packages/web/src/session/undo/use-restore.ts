// Sends an undo or a redo, and keeps its refusal: other files have changed since, or another problem.
import { ClientError } from '@quayside/client'
import type { Restored } from '@quayside/protocol'
import { useState } from 'react'
import { problemOf } from '../../shared/problem.js'

export type Force = 'others' | 'all'

type Restoring =
  | { readonly is: 'ready'; readonly problem?: string }
  | { readonly is: 'sending' }
  /** Someone has changed these files since. */
  | { readonly is: 'changed'; readonly paths: readonly string[] }

export type Restore = {
  readonly state: Restoring
  readonly run: (force?: Force) => void
  readonly reset: () => void
}

export function useRestore(
  send: (input: { readonly force?: Force }) => Promise<Restored>,
  onRestored: (restored: Restored) => void,
): Restore {
  const [state, setState] = useState<Restoring>({ is: 'ready' })

  async function run(force?: Force) {
    setState({ is: 'sending' })
    try {
      onRestored(await send(force === undefined ? {} : { force }))
      setState({ is: 'ready' })
    } catch (error) {
      setState(refusalOf(error))
    }
  }

  return { state, run: (force) => void run(force), reset: () => setState({ is: 'ready' }) }
}

function refusalOf(error: unknown): Restoring {
  const isChanged = error instanceof ClientError && error.code === 'files_changed'
  if (!isChanged) return { is: 'ready', problem: problemOf(error) }
  const paths = error.details?.['paths']
  return { is: 'changed', paths: Array.isArray(paths) ? paths.map(String) : [] }
}
