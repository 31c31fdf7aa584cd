// The Markdown that answers use beyond GFM's core: formulas, alerts, footnotes and <details>. Tokenizers for marked.
import type { Lexer, Token, Tokens } from 'marked'

export type FormulaToken = { type: 'formula'; raw: string; tex: string; isBlock: boolean }
export type AlertToken = { type: 'alert'; raw: string; kind: AlertKind; tokens: Token[] }
export type FootnoteToken = { type: 'footnote'; raw: string; label: string; tokens: Token[] }
export type FootnoteRefToken = { type: 'footnoteRef'; raw: string; label: string }
export type DetailsToken = {
  type: 'details'
  raw: string
  isOpen: boolean
  summary: Token[]
  tokens: Token[]
}

export const ALERT_KINDS = ['note', 'tip', 'important', 'warning', 'caution'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

type Tokenizer = (this: { lexer: Lexer }, source: string) => Tokens.Generic | undefined
type Starts = (source: string) => number | undefined

/** Syntax that may span blank lines, so that a text with it is read again as a whole when it is complete. */
export const SPANNING = /^ {0,3}(?:\$\$|\\\[|<details)/m

/** A dollar sign is money unless it touches the formula on both sides and no digit follows it. */
const INLINE_FORMULA = /^(?:\\\(([^\n]+?)\\\)|\$(?=[^\s$])((?:\\.|[^\\$\n])*?[^\s\\$]|\\.)\$(?!\d))/
const BLOCK_FORMULA = /^ {0,3}(?:\$\$([^$]{1,4000})\$\$|\\\[([^]{1,4000}?)\\\])[ \t]*(?:\n|$)/
const ALERT =
  /^ {0,3}> ?\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)((?: {0,3}>[^\n]*(?:\n|$))*)/i
const FOOTNOTE = /^\[\^([^\]\s]{1,40})\]:[ \t]*([^\n]*(?:\n(?: {2,}|\t)[^\n]+)*)(?:\n|$)/
const FOOTNOTE_REF = /^\[\^([^\]\s]{1,40})\](?!:)/
const DETAILS_START = /^ {0,3}<details( open)?>/i
const DETAILS_TAGS = /<(\/?)details(?: open)?>/gi
const BLOCK_START = /^ {0,3}(?:\$\$|\\\[|<details|\[\^)/m
/** Deeper ones stay as they are written. */
const MAX_DEPTH = 20
const SUMMARY = /^\s*<summary>([^]*?)<\/summary>/i

const blockFormula: Tokenizer = (source) => {
  const [raw, dollars, brackets] = BLOCK_FORMULA.exec(source) ?? []
  const tex = dollars ?? brackets
  return raw === undefined || tex === undefined
    ? undefined
    : ({ type: 'formula', raw, tex: tex.trim(), isBlock: true } satisfies FormulaToken)
}

const inlineFormula: Tokenizer = (source) => {
  const [raw, parentheses, dollars] = INLINE_FORMULA.exec(source) ?? []
  const tex = parentheses ?? dollars
  return raw === undefined || tex === undefined
    ? undefined
    : ({ type: 'formula', raw, tex: tex.trim(), isBlock: false } satisfies FormulaToken)
}

const alert: Tokenizer = function (source) {
  const [raw, name = '', quoted = ''] = ALERT.exec(source) ?? []
  if (raw === undefined) return undefined
  const tokens = this.lexer.blockTokens(quoted.replaceAll(/^ {0,3}> ?/gm, ''), [])
  return { type: 'alert', raw, kind: name.toLowerCase() as AlertKind, tokens } satisfies AlertToken
}

const footnote: Tokenizer = function (source) {
  const [raw, label = '', text = ''] = FOOTNOTE.exec(source) ?? []
  if (raw === undefined) return undefined
  const tokens = this.lexer.inline(text.replaceAll(/\n\s+/g, '\n'), [])
  return { type: 'footnote', raw, label, tokens } satisfies FootnoteToken
}

const footnoteRef: Tokenizer = (source) => {
  const [raw, label = ''] = FOOTNOTE_REF.exec(source) ?? []
  return raw === undefined
    ? undefined
    : ({ type: 'footnoteRef', raw, label } satisfies FootnoteRefToken)
}

/** Only the bare tags: with any other attribute it stays as it is written. */
const details: Tokenizer = function (source) {
  const start = DETAILS_START.exec(source)
  const end = start && endOfDetails(source)
  if (!start || !end) return undefined
  const inside = source.slice(start[0].length, end.from)
  const [heading = '', summary = ''] = SUMMARY.exec(inside) ?? []
  return {
    type: 'details',
    raw: source.slice(0, end.to),
    isOpen: start[1] !== undefined,
    summary: this.lexer.inline(summary.trim(), []),
    tokens: this.lexer.blockTokens(inside.slice(heading.length).replace(/^\s*\n/, ''), []),
  } satisfies DetailsToken
}

/** The closing tag that belongs to the first opening one. */
function endOfDetails(source: string): { readonly from: number; readonly to: number } | undefined {
  let depth = 0
  for (const { 0: tag, 1: slash, index } of source.matchAll(DETAILS_TAGS)) {
    depth += slash === '/' ? -1 : 1
    if (depth > MAX_DEPTH) return undefined
    if (depth > 0) continue
    const rest = /^[ \t]*(?:\n|$)/.exec(source.slice(index + tag.length))
    return rest ? { from: index, to: index + tag.length + rest[0].length } : undefined
  }
  return undefined
}

/** A paragraph ends at a blank line; a search beyond it would read the rest of a text once for each paragraph. */
const startBlock: Starts = (source) => {
  const end = source.indexOf('\n\n')
  return indexIn(end < 0 ? source : source.slice(0, end), BLOCK_START)
}
const startInline: Starts = (source) => indexIn(source, /\$|\\\(|\[\^/)

function indexIn(source: string, start: RegExp): number | undefined {
  const index = source.search(start)
  return index < 0 ? undefined : index
}

export const ANSWER_SYNTAX = {
  renderers: {},
  childTokens: {},
  block: [blockFormula, alert, footnote, details],
  inline: [inlineFormula, footnoteRef],
  startBlock: [startBlock],
  startInline: [startInline],
}
