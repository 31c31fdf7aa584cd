// An undo or redo as it is documented, on copies of the files: the harness compares the hub with it.
import type { FolderState } from './folder-state.js'

export type ExpectedStep = {
  /** The files that somebody else has changed. Without force nothing may be written then. */
  readonly changed: readonly string[]
  readonly next: FolderState
}

export type StepInput = {
  readonly from: FolderState
  readonly to: FolderState
  readonly now: FolderState
  readonly paths?: readonly string[] | undefined
  readonly force?: 'others' | 'all' | undefined
}

export function expectStep({ from, to, now, paths, force }: StepInput): ExpectedStep {
  const next = new Map(now)
  const changed: string[] = []
  for (const path of paths ?? new Set([...from.keys(), ...to.keys()])) {
    const [old, wanted, current] = [from.get(path), to.get(path), now.get(path)]
    if (old === wanted || current === wanted) continue
    if (current !== old) changed.push(path)
    if (current !== old && force !== 'all') continue
    if (wanted === undefined) next.delete(path)
    else next.set(path, wanted)
  }
  return changed.length > 0 && force === undefined ? { changed, next: now } : { changed, next }
}
