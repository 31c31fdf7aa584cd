// Keeps a scroller at its end while the reader is there, whatever changes in size. Only a person leaves the end: by
// scrolling up, or by selecting text. While a pointer is pressed, nothing moves under it.
import { Store } from '../../shared/store.js'

const NEAR_PX = 40
/** The list corrects its position until rows are measured, also for a row that the person has left by then. */
const SETTLING_MS = 400
const INPUTS = ['wheel', 'touchstart', 'pointerdown', 'keydown']
const RELEASES = ['pointerup', 'pointercancel', 'blur']

export class ScrollAnchor {
  readonly isAtEnd = new Store(true)
  #scroller: HTMLElement | undefined
  #lastTop = 0
  #isHeld = false
  /** A click needs its element in one place from the press to the release. */
  #isPressed = false
  #hasNewest = true
  #settlesAt = 0

  /** Starts with a scroller and its content. Returns a function that stops. */
  attach(scroller: HTMLElement, content: Element): () => void {
    this.#scroller = scroller
    const sizes = new ResizeObserver(() => this.stay())
    sizes.observe(scroller)
    sizes.observe(content)
    scroller.addEventListener('scroll', this.#onScroll, { passive: true })
    for (const type of INPUTS) scroller.addEventListener(type, this.#onInput, { passive: true })
    scroller.addEventListener('pointerdown', this.#onPress)
    for (const type of RELEASES) addEventListener(type, this.#onRelease)
    document.addEventListener('selectionchange', this.#onSelection)
    return () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', this.#onScroll)
      for (const type of INPUTS) scroller.removeEventListener(type, this.#onInput)
      scroller.removeEventListener('pointerdown', this.#onPress)
      for (const type of RELEASES) removeEventListener(type, this.#onRelease)
      document.removeEventListener('selectionchange', this.#onSelection)
    }
  }

  /** Call after a change in size that moves the end. */
  stay(): void {
    if (this.isAtEnd.get() && !this.#isHeld && !this.#isPressed) this.#scrollToEnd()
  }

  /** On request of a person. */
  goToEnd(): void {
    this.#settlesAt = performance.now() + SETTLING_MS
    this.#scrollToEnd()
  }

  /** False while the shown rows end before the newest one: then their end is not the end. */
  setNewest(hasNewest: boolean): void {
    this.#hasNewest = hasNewest
  }

  leave(): void {
    this.#settlesAt = 0
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
        this.#setAtEnd(this.#isNear())
      }),
    )
  }

  readonly #onScroll = (): void => {
    const top = this.#scroller?.scrollTop ?? 0
    const isUp = top < this.#lastTop
    this.#lastTop = top
    if (this.#isNear()) this.#setAtEnd(true)
    else if (!isUp || this.#isHeld || this.#isPressed) return
    else if (performance.now() < this.#settlesAt) this.#scrollToEnd()
    else this.#setAtEnd(false)
  }

  readonly #onInput = (): void => {
    this.#settlesAt = 0
  }

  /** The scroll bar is no element of its own, and its release is not reported. */
  readonly #onPress = ({ target }: Event): void => {
    this.#isPressed = target !== this.#scroller
  }

  /** The click follows the release. */
  readonly #onRelease = (): void => {
    if (!this.#isPressed) return
    requestAnimationFrame(() => {
      this.#isPressed = false
      this.stay()
    })
  }

  readonly #onSelection = (): void => {
    const selection = document.getSelection()
    if (!selection || selection.isCollapsed) return
    if (this.#scroller?.contains(selection.anchorNode)) this.#setAtEnd(false)
  }

  #scrollToEnd(): void {
    if (!this.#scroller) return
    this.#setAtEnd(true)
    this.#scroller.scrollTop = this.#scroller.scrollHeight
  }

  #isNear(): boolean {
    if (!this.#scroller || !this.#hasNewest) return this.#hasNewest
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller
    return scrollHeight - scrollTop - clientHeight <= NEAR_PX
  }

  #setAtEnd(isAtEnd: boolean): void {
    if (isAtEnd !== this.isAtEnd.get()) this.isAtEnd.set(isAtEnd)
  }
}
