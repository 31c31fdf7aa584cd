// The diff of an edit whose texts are too long for an event, in `_meta.quayside.diff` of its content entry. The hub makes it
// from the whole texts before it truncates them.
import type { Meta } from './acp.js'

export type StoredDiff = {
  readonly added: number
  readonly removed: number
  /** Hunks in unified format; longer ones are at `patchMedia`. Without any there are more lines than people can view. */
  readonly patch?: string
  readonly patchMedia?: string
  /** The addresses of the whole texts. */
  readonly oldMedia?: string
  readonly newMedia?: string
}

/** Undefined for an edit whose texts are whole. */
export function readStoredDiff({ _meta: meta }: Meta): StoredDiff | undefined {
  const { diff } = asFields(meta?.['quayside'])
  const { added, removed, patch, patchMedia, oldMedia, newMedia } = asFields(diff)
  if (typeof added !== 'number' || typeof removed !== 'number') return undefined
  return {
    added,
    removed,
    ...(typeof patch === 'string' && { patch }),
    ...(isMedia(patchMedia) && { patchMedia }),
    ...(isMedia(oldMedia) && { oldMedia }),
    ...(isMedia(newMedia) && { newMedia }),
  }
}

function isMedia(value: unknown): value is string {
  return typeof value === 'string' && /^\/media\/[\w-]+$/.test(value)
}

function asFields(value: unknown): { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
