// Compares large changes beside the page, which goes on drawing meanwhile. Whoever started it ends it.
import { findHunks } from '../code/line-diff.js'

export type DiffRequest = { readonly oldText: string; readonly newText: string }

const TIMEOUT_MS = 30_000

addEventListener('message', ({ data }: MessageEvent<DiffRequest>) => {
  postMessage(findHunks(data.oldText, data.newText, { timeout: TIMEOUT_MS }))
})
