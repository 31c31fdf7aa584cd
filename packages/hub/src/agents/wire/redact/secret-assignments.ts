// Redacts secrets by the name before them in a text: `KEY=value`, `"key": "value"`, `Header: value`, `--flag value`.
import { isSecretName, nameBefore, SECRET_NAME_END } from './secret-names.js'
import { REDACTED } from './secret-shapes.js'

/** A name, perhaps quoted (also inside of quoted JSON), and the characters between it and its value. */
const ASSIGNMENT = new RegExp(
  String.raw`(${SECRET_NAME_END})(?:\\{0,32}["'\x60])?(?:[ \t]{0,8}(?::(?!:)|=(?![=>]))[ \t]{0,8}| )`,
  'gi',
)
const HEADER = /(?:authorization|cookie)$/i
const PASSWORD = /pass(?:word|wd|phrase|code)?$/i
const QUOTE = /(\\{0,32})(["'`])/y
/** The characters allowed inside each kind of quotes; only backticks may span lines. */
const INSIDE: Readonly<Record<string, RegExp>> = {
  '"': /[^"\n]*/y,
  "'": /[^'\n]*/y,
  '`': /[^`]*/y,
}
const WORD = /[^\s"'`,;&<>(){}[\]|\\]*/y
const VARIABLE_VALUE = /[^\s"'`\\&#]*/y
const LINE = /[^\r\n"'`\\]*/y
const REFERENCE =
  /^(?:(?:Bearer|Basic|token) )?(?:[$%{<*]|\[redacted\]$|process\.env|import\.meta|os\.environ|\.{1,2}\/|~\/|https?:|$)/i
const NAMES_OF_TYPES =
  /^(?:string|number|boolean|text|password|token|secret|hidden|required|optional|true|false|null|none|undefined)$/i
/** Source code after a name: an identifier, or a path of identifiers. */
const IDENTIFIERS = /^[A-Za-z_$][A-Za-z_$-]*(?:\??\.#?[A-Za-z_$]+)*[!?.:]?$/
const SHORT_IDENTIFIER = /^[A-Za-z_$][\w$]{0,6}$/
const FEW_DIGITS = /^\d{1,5}[.%]?$/

type Assignment = { readonly name: string; readonly between: string; readonly before: string }
type Span = { readonly start: number; readonly end: number; readonly isSecret: boolean }

/** Linear: every step continues after the value it examined, redacted or not. */
export function hideAssigned(text: string): string {
  let shown = ''
  let copied = 0
  ASSIGNMENT.lastIndex = 0
  for (let found = ASSIGNMENT.exec(text); found !== null; found = ASSIGNMENT.exec(text)) {
    const assignment = readName(text, found.index, found)
    if (assignment === undefined) continue
    const value = findValue(text, ASSIGNMENT.lastIndex, assignment)
    ASSIGNMENT.lastIndex = value.end
    if (!value.isSecret) continue
    shown += text.slice(copied, value.start) + REDACTED
    copied = value.end
  }
  return copied === 0 ? text : shown + text.slice(copied)
}

function readName(text: string, at: number, found: RegExpExecArray): Assignment | undefined {
  const end = found[1] ?? ''
  // "API key: …" is the only name that is written with a space.
  const name = end.includes(' ') ? end.replace(' ', '_') : nameBefore(text, at + end.length)
  const between = found[0].slice(end.length)
  if (!isSecretName(name) || (between === ' ' && !name.startsWith('-'))) return undefined
  return { name, between, before: text.charAt(at + end.length - name.length - 1) }
}

function findValue(text: string, at: number, assignment: Assignment): Span {
  QUOTE.lastIndex = at
  const quote = QUOTE.exec(text)
  if (quote === null) return bareValue(text, at, assignment)
  const start = QUOTE.lastIndex
  const end = quotedEnd(text, start, { char: quote[2] ?? '"', escapes: (quote[1] ?? '').length })
  const value = text.slice(start, end)
  return { start, end, isSecret: !REFERENCE.test(value) && !NAMES_OF_TYPES.test(value) }
}

/** The closing quote has as many backslashes before it as the opening one; quotes inside have more. */
function quotedEnd(text: string, start: number, quote: { char: string; escapes: number }): number {
  const inside = INSIDE[quote.char] ?? LINE
  let from = start
  for (;;) {
    inside.lastIndex = from
    const at = from + (inside.exec(text)?.[0].length ?? 0)
    if (text[at] !== quote.char) return at
    let escapes = 0
    while (at - escapes > from && text[at - escapes - 1] === '\\') escapes += 1
    if (escapes === quote.escapes) return at - escapes
    if (escapes < quote.escapes || (quote.escapes === 0 && escapes % 2 === 0)) return at
    from = at + 1
  }
}

function bareValue(text: string, start: number, assignment: Assignment): Span {
  const { name, between, before } = assignment
  const isTight = between === '='
  const isInQuery = isTight && (before === '?' || before === '&')
  const isVariable = isTight && (name.startsWith('-') || name === name.toUpperCase())
  const read = (pattern: RegExp): string => {
    pattern.lastIndex = start
    return pattern.exec(text)?.[0] ?? ''
  }
  const word = read(isInQuery || isVariable ? VARIABLE_VALUE : WORD)
  const value = isHeaderValue(assignment, word) ? read(LINE).trimEnd() : word
  const end = start + value.length
  const isCall = IDENTIFIERS.test(value) && /[([]/.test(text.charAt(end))
  if (REFERENCE.test(value) || isCall || FEW_DIGITS.test(value))
    return { start, end, isSecret: false }
  if (isInQuery || isVariable) return { start, end, isSecret: true }
  return { start, end, isSecret: !isCode(value, name, isTight) }
}

/** `Authorization: Bearer …` and `Cookie: a=b; c=d` extend to the end of the line. */
function isHeaderValue({ name, between }: Assignment, word: string): boolean {
  if (!HEADER.test(name) || !between.startsWith(':')) return false
  return (
    /^(?:bearer|basic|digest|token|negotiate|aws4-hmac-sha256)$/i.test(word) || /[=\d]/.test(word)
  )
}

function isCode(value: string, name: string, isTight: boolean): boolean {
  if (PASSWORD.test(name) && isTight) return /pass|pwd/i.test(value)
  if (IDENTIFIERS.test(value)) return !isTight || value.length < 16 || value.includes('.')
  return SHORT_IDENTIFIER.test(value) && !PASSWORD.test(name)
}
