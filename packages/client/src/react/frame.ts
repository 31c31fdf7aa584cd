// When to draw: once a frame where there are frames, soon enough where there are none.

const HIDDEN_MS = 500

export function onNextFrame(draw: () => void): void {
  const page: Document | undefined = globalThis.document
  // A hidden page is given no animation frames, and outside of browsers there are none.
  if (page === undefined) setTimeout(draw, 0)
  else if (page.hidden) setTimeout(draw, HIDDEN_MS)
  else requestAnimationFrame(draw)
}
