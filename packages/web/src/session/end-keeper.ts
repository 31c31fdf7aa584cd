// Keeps a scroller at its end while the reader is there, whatever grows inside it or shrinks it.
import { Store } from '../shared/store.js'

const NEAR_PX = 40

export class EndKeeper {
  readonly isAtEnd = new Store(true)
  #scroller: HTMLElement | undefined

  /** Begins with a scroller, whose first child is what grows. Returns how to stop. */
  attach(scroller: HTMLElement): () => void {
    this.#scroller = scroller
    const sizes = new ResizeObserver(() => {
      if (this.isAtEnd.get()) this.goToEnd()
    })
    sizes.observe(scroller)
    if (scroller.firstElementChild) sizes.observe(scroller.firstElementChild)
    scroller.addEventListener('scroll', this.#onScroll, { passive: true })
    return () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', this.#onScroll)
    }
  }

  goToEnd(): void {
    if (this.#scroller) this.#scroller.scrollTop = this.#scroller.scrollHeight
  }

  /** What is added above a row must not move it while it is being read. */
  async holdStill(row: Element | null, add: () => Promise<void>): Promise<void> {
    const top = row?.getBoundingClientRect().top ?? 0
    // When it fails, the button is still there, and the banner says that the hub is not.
    await add().catch(() => {})
    if (row && this.#scroller) this.#scroller.scrollTop += row.getBoundingClientRect().top - top
  }

  readonly #onScroll = (): void => {
    if (!this.#scroller) return
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= NEAR_PX
    if (isAtEnd !== this.isAtEnd.get()) this.isAtEnd.set(isAtEnd)
  }
}
