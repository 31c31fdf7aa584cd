// Compares large texts in a worker, so that the page stays responsive. The page terminates it.
import { findHunks } from '../code/line-diff.js'

export type DiffRequest = { readonly oldText: string; readonly newText: string }

const TIMEOUT_MS = 30_000

addEventListener('message', ({ data }: MessageEvent<DiffRequest>) => {
  postMessage(findHunks(data.oldText, data.newText, { timeout: TIMEOUT_MS }))
})
