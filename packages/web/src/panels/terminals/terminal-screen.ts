// One xterm on the page. It draws output and reports input. It ignores most requests of a program, such as writing to the
// clipboard or opening links; terminal-answers.ts decides which ones are answered.
import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Terminal } from '@xterm/xterm'
import { openStyled } from './open-styled.js'
import { limitAnswers } from './terminal-answers.js'
import { onThemeChange, terminalTheme } from './terminal-theme.js'

type ScreenSize = { readonly cols: number; readonly rows: number }

type ScreenHandlers = {
  readonly onType: (data: string) => void
  readonly onResize: (size: ScreenSize) => void
  /** A paste of several lines needs a confirmation, because the shell may run the first line immediately. */
  readonly onLongPaste: (text: string) => void
  readonly onLink: (address: string) => void
  /** Output of a pipe: nothing can be typed, and lines end without a carriage return. */
  readonly isReadOnly?: boolean
}

const SCROLLBACK_LINES = 10_000
const FONT_PX = 12.5
const CLIPBOARD_SEQUENCE = 52
const ARROWS = { up: 'A', down: 'B', right: 'C', left: 'D' } as const

export type Arrow = keyof typeof ARROWS

export class TerminalScreen {
  readonly #terminal: Terminal
  readonly #search = new SearchAddon()
  readonly #ends: (() => void)[] = []
  readonly #isReadOnly: boolean
  #isControlHeld = false

  constructor(parent: HTMLElement, handlers: ScreenHandlers) {
    this.#isReadOnly = handlers.isReadOnly ?? false
    this.#terminal = new Terminal({
      fontFamily: 'monospace',
      fontSize: FONT_PX,
      lineHeight: 1.3,
      scrollback: SCROLLBACK_LINES,
      minimumContrastRatio: 4.5,
      cursorBlink: false,
      theme: terminalTheme(),
      disableStdin: this.#isReadOnly,
      convertEol: this.#isReadOnly,
      linkHandler: { activate: (_event, address) => handlers.onLink(address) },
    })
    this.#terminal.parser.registerOscHandler(CLIPBOARD_SEQUENCE, () => true)
    openStyled(this.#terminal, parent)
    this.#terminal.loadAddon(this.#search)
    const isMeant = limitAnswers(this.#terminal)
    this.#terminal.onData((data) => {
      if (isMeant(data)) handlers.onType(this.#withControl(data))
    })
    this.#terminal.onResize(handlers.onResize)
    this.#guardPaste(parent, handlers.onLongPaste)
    this.#keepFitting(parent)
    this.#ends.push(
      onThemeChange(() => {
        this.#terminal.options.theme = terminalTheme()
      }),
    )
  }

  get size(): ScreenSize {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows }
  }

  /**
   * Resolves when the data is drawn. Awaiting it keeps at most one chunk in memory. While past output is drawn there is no
   * input: the screen would answer the queries in it again.
   */
  async write(data: string, isPast = false): Promise<void> {
    this.#terminal.options.disableStdin = this.#isReadOnly || isPast
    await new Promise<void>((resolve) => this.#terminal.write(data, resolve))
    this.#terminal.options.disableStdin = this.#isReadOnly
  }

  clear(): void {
    this.#terminal.reset()
  }

  /** Selects and shows the next or previous match; false when there is none. */
  find(text: string, step: 1 | -1): boolean {
    return step === 1 ? this.#search.findNext(text) : this.#search.findPrevious(text)
  }

  paste(text: string): void {
    this.#terminal.paste(text)
  }

  /** The arrow key in the mode that the program has set. */
  arrow(arrow: Arrow): string {
    const isApplication = this.#terminal.modes.applicationCursorKeysMode
    return `\u001B${isApplication ? 'O' : '['}${ARROWS[arrow]}`
  }

  /** Turns letters into control characters, for keyboards without a Ctrl key. */
  holdControl(isHeld: boolean): void {
    this.#isControlHeld = isHeld
  }

  focus(): void {
    this.#terminal.focus()
  }

  dispose(): void {
    for (const end of this.#ends) end()
    this.#terminal.dispose()
  }

  #withControl(data: string): string {
    if (!this.#isControlHeld || !/^[a-z@[\\\]^_]$/i.test(data)) return data
    return String.fromCharCode(data.toUpperCase().charCodeAt(0) - 64)
  }

  #guardPaste(parent: HTMLElement, onLongPaste: (text: string) => void): void {
    const guard = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (!/[\r\n]/.test(text)) return
      event.preventDefault()
      event.stopPropagation()
      onLongPaste(text)
    }
    parent.addEventListener('paste', guard, { capture: true })
    this.#ends.push(() => parent.removeEventListener('paste', guard, { capture: true }))
  }

  #keepFitting(parent: HTMLElement): void {
    const fit = new FitAddon()
    this.#terminal.loadAddon(fit)
    fit.fit()
    void this.#useOwnFont().then(() => fit.fit())
    const observer = new ResizeObserver(() => fit.fit())
    observer.observe(parent)
    this.#ends.push(() => observer.disconnect())
  }

  /** xterm measures the font when it is set, so the font has to be loaded before. */
  async #useOwnFont(): Promise<void> {
    const family = getComputedStyle(document.documentElement).getPropertyValue('--font-mono')
    await document.fonts.load(`${FONT_PX}px ${family}`).catch(() => [])
    this.#terminal.options.fontFamily = family
  }
}
