// Keeps a scroller at its end while the reader is there, whatever changes in size. Only a person leaves the end: by
// scrolling up, or by selecting text.
import { Store } from '../../shared/store.js'

const NEAR_PX = 40

export class ScrollAnchor {
  readonly isAtEnd = new Store(true)
  #scroller: HTMLElement | undefined
  #lastTop = 0
  #isHeld = false

  /** Starts with a scroller and its content. Returns a function that stops. */
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

  /** Call after a change in size that moves the end. */
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

  /**
   * Pauses while an element expands, so that it does not move under the pointer; then checks whether the end is still
   * visible.
   */
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
