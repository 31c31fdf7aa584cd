// Keeps a scroller at its end while the reader is there, whatever grows inside it or shrinks it.
// Only a person leaves the end: by scrolling up, or by selecting what they read.
import { Store } from '../../shared/store.js'

const NEAR_PX = 40

export class ScrollAnchor {
  readonly isAtEnd = new Store(true)
  #scroller: HTMLElement | undefined
  #lastTop = 0
  #isHeld = false

  /** Begins with a scroller and what grows in it. Returns how to stop. */
  attach(scroller: HTMLElement, content: Element): () => void {
    this.#scroller = scroller
    const sizes = new ResizeObserver(() => this.stay())
    sizes.observe(scroller)
    sizes.observe(content)
    scroller.addEventListener('scroll', this.#onScroll, { passive: true })
    document.addEventListener('selectionchange', this.#onSelection)
    return () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', this.#onScroll)
      document.removeEventListener('selectionchange', this.#onSelection)
    }
  }

  /** To be called when something has grown or shrunk that moves the end. */
  stay(): void {
    if (this.isAtEnd.get() && !this.#isHeld) this.goToEnd()
  }

  goToEnd(): void {
    if (!this.#scroller) return
    this.#setAtEnd(true)
    this.#scroller.scrollTop = this.#scroller.scrollHeight
  }

  leave(): void {
    this.#setAtEnd(false)
  }

  /** What a person opens stays where it is for them; only then is looked whether the end is still in sight. */
  hold(): void {
    this.#isHeld = true
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.#isHeld = false
        this.#setAtEnd(this.#distance() <= NEAR_PX)
      }),
    )
  }

  readonly #onScroll = (): void => {
    const top = this.#scroller?.scrollTop ?? 0
    const isUp = top < this.#lastTop
    this.#lastTop = top
    if (this.#distance() <= NEAR_PX) this.#setAtEnd(true)
    else if (isUp && !this.#isHeld) this.#setAtEnd(false)
  }

  readonly #onSelection = (): void => {
    const selection = document.getSelection()
    if (!selection || selection.isCollapsed) return
    if (this.#scroller?.contains(selection.anchorNode)) this.#setAtEnd(false)
  }

  #distance(): number {
    if (!this.#scroller) return 0
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller
    return scrollHeight - scrollTop - clientHeight
  }

  #setAtEnd(isAtEnd: boolean): void {
    if (isAtEnd !== this.isAtEnd.get()) this.isAtEnd.set(isAtEnd)
  }
}
