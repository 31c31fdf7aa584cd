// Schedules rendering: once a frame, or by a timer where there are no frames.

const HIDDEN_MS = 500

export function onNextFrame(draw: () => void): void {
  const page: Document | undefined = globalThis.document
  // Hidden pages get no animation frames, and other environments have none.
  if (page === undefined) setTimeout(draw, 0)
  else if (page.hidden) setTimeout(draw, HIDDEN_MS)
  else requestAnimationFrame(draw)
}
