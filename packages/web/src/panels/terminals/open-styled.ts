// Lets xterm.js draw under the hub's content security policy, which refuses <style> elements and `style` attributes: what
// xterm 6.0 writes there goes through the CSSOM, which the policy allows. A test watches for violations.
import type { Terminal } from '@xterm/xterm'

/** The one place of xterm's that writes `style` attributes: the colours of cells that are not of the palette. */
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
  // All its style elements are made while it opens.
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

/** In place of a style element; even an empty one would be refused. */
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
