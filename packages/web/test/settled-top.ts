// The position of an element of the page once it has stopped moving.
import type { ElementHandle, Locator } from 'playwright-core'

/** The list corrects its position for up to 150 ms after the last change of a size. */
const STILL_FRAMES = 15
const MAX_FRAMES = 600

/** The distance from the top of the window, unchanged for a few frames. Rejects when the element moves on and on, or has left the page. */
export function settledTop(element: Locator | ElementHandle<Element>): Promise<number> {
  const read = async (found: Element, [stillFrames, maxFrames]: readonly [number, number]) => {
    let top = Number.NaN
    for (let frame = 0, still = 0; frame < maxFrames; frame += 1) {
      await new Promise(requestAnimationFrame)
      if (!found.isConnected) throw new Error('The element has left the page.')
      const now = found.getBoundingClientRect().top
      still = now === top ? still + 1 : 0
      top = now
      if (still >= stillFrames) return top
    }
    throw new Error(`The element still moves after ${maxFrames} frames.`)
  }
  const limits = [STILL_FRAMES, MAX_FRAMES] as const
  // The two kinds have the same method, with types that do not unite.
  return (element as Locator).evaluate(read, limits)
}
