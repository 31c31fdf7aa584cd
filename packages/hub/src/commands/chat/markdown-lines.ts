// Renders Markdown line by line for a terminal: headings, lists, quotes, code and emphasis, wrapped at words.
import { stripVTControlCharacters, styleText } from 'node:util'
import type { CommandOutput } from '../io/command-io.js'
import { widthOf } from '../io/text-width.js'

type Style = Parameters<typeof styleText>[0]

const FENCE = /^\s*(`{3,}|~{3,})\s*([\w+-]*)[^`]*$/
const HEADING = /^(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/
const QUOTE = /^\s*>\s?(.*)$/
const RULE_COLUMNS = 40
/** Code, strong, emphasis and links. Code comes first: its content is not Markdown. */
const INLINE =
  /(`+)(.+?)\1(?!`)|(\*\*|__)(?=\S)(.+?)(?<=\S)\3|(?<![\w*])([*_])(?=[^\s*_])([^*_]+?)(?<=\S)\5(?![\w*])|\[([^\]]+)\]\((\S+?)\)/g

/** Emphasis is not looked for in longer lines, to keep the search fast. */
const MAX_INLINE_CHARS = 4000

export class MarkdownLines {
  readonly #stream: CommandOutput
  /** The characters that opened the block of code. */
  #fence: string | undefined

  constructor(stream: CommandOutput) {
    this.#stream = stream
  }

  /** The lines at the terminal for one line of the text: none for the edge of a block of code. */
  render(line: string): readonly string[] {
    const [, fence, language = ''] = FENCE.exec(line) ?? []
    if (this.#fence !== undefined) {
      if (fence === undefined || language !== '' || !fence.startsWith(this.#fence))
        return [this.#paint('cyan', `    ${line}`)]
      this.#fence = undefined
      return []
    }
    if (fence !== undefined) {
      this.#fence = fence
      return language === '' ? [] : [this.#paint('dim', `  ${language}`)]
    }
    return this.#renderText(line)
  }

  #renderText(line: string): readonly string[] {
    const [, marks, heading] = HEADING.exec(line) ?? []
    if (heading !== undefined && marks !== undefined)
      return this.#wrap(this.#paint('bold', this.#inline(heading)), '')
    if (RULE.test(line)) return [this.#paint('dim', '─'.repeat(RULE_COLUMNS))]
    const [, indent = '', bullet = '', item] = ITEM.exec(line) ?? []
    if (item !== undefined)
      return this.#wrap(
        this.#inline(item),
        `${indent}${/\d/.test(bullet) ? bullet : '•'} `,
        ' '.repeat(indent.length + (/\d/.test(bullet) ? bullet.length : 1) + 1),
      )
    const [, quote] = QUOTE.exec(line) ?? []
    if (quote !== undefined) return this.#wrap(this.#inline(quote), '│ ', '│ ')
    // A row of a table loses its columns when it is wrapped.
    if (line.startsWith('|')) return [line]
    const margin = /^\s*/.exec(line)?.[0] ?? ''
    return this.#wrap(this.#inline(line.trim()), margin, margin)
  }

  #wrap(text: string, first: string, next = first): string[] {
    const room = (this.#stream.columns ?? 80) - widthOf(next)
    const rows: string[] = []
    let row = ''
    let width = 0
    for (const word of text.split(' ')) {
      const columns = widthOf(stripVTControlCharacters(word))
      if (width > 0 && width + 1 + columns > room) {
        rows.push(row)
        row = ''
        width = 0
      }
      row += width === 0 ? word : ` ${word}`
      width += (width === 0 ? 0 : 1) + columns
    }
    return [...rows, row].map((part, at) => ((at === 0 ? first : next) + part).trimEnd())
  }

  #inline(text: string): string {
    if (text.length > MAX_INLINE_CHARS) return text
    return text.replaceAll(INLINE, (whole: string, ...groups: (string | undefined)[]) => {
      const [, code, , strong, , emphasis, label, address] = groups
      if (code !== undefined) return this.#paint('cyan', code)
      if (strong !== undefined) return this.#paint('bold', strong)
      if (emphasis !== undefined) return this.#paint('italic', emphasis)
      if (label === undefined || address === undefined) return whole
      return label === address ? label : `${label} (${address})`
    })
  }

  #paint(style: Style, text: string): string {
    return styleText(style, text, { stream: this.#stream })
  }
}
