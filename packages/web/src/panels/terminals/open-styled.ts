// Lets xterm.js 6.0 run under the hub's content security policy, which blocks <style> elements and `style` attributes:
// this code redirects them to the CSSOM, which the policy allows. A test watches for violations.
import type { Terminal } from '@xterm/xterm'

/** The only part of xterm that writes `style` attributes: cell colours outside the palette. */
type Internals = {
  readonly _core: {
    readonly _renderService: {
      readonly _renderer: {
        readonly value: {
          readonly _rowFactory: { _addStyle: (element: HTMLElement, css: string) => void }
        }
      }
    }
  }
}

export function openStyled(terminal: Terminal, parent: HTMLElement): void {
  // xterm creates all its style elements while it opens.
  document.createElement = createStyled
  try {
    terminal.open(parent)
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
  const { _core } = terminal as unknown as Internals
  // oxlint-disable-next-line no-underscore-dangle
  _core._renderService._renderer.value._rowFactory._addStyle = (element, css) => {
    element.style.cssText += css
  }
}

function createStyled(name: string, options?: ElementCreationOptions): HTMLElement {
  const create = (actual: string) =>
    Document.prototype.createElement.call(document, actual, options)
  return name === 'style' ? writingToSheet(create('template')) : create(name)
}

/** A stand-in for a style element; the policy blocks even an empty one. */
function writingToSheet(element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  Object.defineProperty(element, 'textContent', {
    set(css: string) {
      sheet.replaceSync(css)
    },
  })
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    Element.prototype.remove.call(element)
  }
  return element
}
