// HTML as a tagged template: every inserted value is escaped, unless this template made it.

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Piece = string | number | Html | undefined | false | readonly Piece[]

export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.map((text, at) => text + toText(pieces[at])).join(''))
}

/** A sentence in which backticks mark code. */
export function prose(text: string | undefined): Html | undefined {
  if (text === undefined) return undefined
  const parts = text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
  return html`${parts}`
}

function toText(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(toText).join('')
  return escapeHtml(String(piece))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
