// Colours for code: highlight.js reads it, and gives tokens instead of HTML. Each language is loaded when it is needed.
import core from 'highlight.js/lib/core'
import type { Emitter, HLJSOptions } from 'highlight.js'
import { languageOf, LANGUAGES } from './languages.js'

export type CodeToken = { readonly text: string; readonly scope?: string | undefined }
export type CodeLine = readonly CodeToken[]

// The conversation has the shared one, and reads it as a tree.
const hljs = core.newInstance()

/** A parser of somebody else's text must not hold up the page. */
const MAX_CHARACTERS = 200_000

/** The lines with their tokens; undefined when the language is not known or the text too long. */
export async function highlight(path: string, text: string): Promise<CodeLine[] | undefined> {
  const language = languageOf(path)
  if (language === undefined || text.length > MAX_CHARACTERS) return undefined
  if (!hljs.getLanguage(language)) {
    const { default: define } = await LANGUAGES[language]()
    hljs.registerLanguage(language, define)
  }
  const { _emitter } = hljs.highlight(text, { language, ignoreIllegals: true })
  return (_emitter as TokenLines).lines()
}

/** What highlight.js writes to. A language inside of another hands over its own. */
class TokenLines implements Emitter {
  readonly options: HLJSOptions
  readonly tokens: CodeToken[] = []
  readonly #scopes: (string | undefined)[] = []

  constructor(options: HLJSOptions) {
    this.options = options
  }

  addText(text: string): void {
    if (text !== '') this.tokens.push({ text, scope: this.#scopes.findLast(Boolean) })
  }

  /** Of `title.function` the first word is enough for a colour. */
  startScope(scope: string): void {
    this.#scopes.push(scope.split('.')[0])
  }

  endScope(): void {
    this.#scopes.pop()
  }

  openNode(scope: string): void {
    this.startScope(scope)
  }

  closeNode(): void {
    this.endScope()
  }

  __addSublanguage(emitter: TokenLines): void {
    this.tokens.push(...emitter.tokens)
  }

  finalize(): void {}

  /** Nobody asks for HTML here. */
  toHTML(): string {
    return ''
  }

  lines(): CodeLine[] {
    const lines: CodeToken[][] = [[]]
    for (const { text, scope } of this.tokens) {
      const [first = '', ...others] = text.split(/\r?\n/)
      lines.at(-1)?.push({ text: first, scope })
      lines.push(...others.map((line) => [{ text: line, scope }]))
    }
    const last = lines.at(-1)?.every((token) => token.text === '')
    return last ? lines.slice(0, -1) : lines
  }
}

hljs.configure({ __emitter: TokenLines })
