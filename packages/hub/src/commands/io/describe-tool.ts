// Describes a tool call for a person: its verb once, and the diffs of its edits.
import { styleText } from 'node:util'
import { diffLines, escapeInvisible, readCut, type ToolCall } from '@quayside/protocol'
import type { CommandOutput } from './command-io.js'
import { oneLine } from './one-line.js'

const MAX_DIFF_LINES = 40
const MAX_LINE_CHARS = 500
/** By the first character of a line. */
const STYLES: Readonly<Record<string, Parameters<typeof styleText>[0]>> = {
  '@': 'cyan',
  '+': 'green',
  '-': 'red',
  '!': 'yellow',
}

type Diff = Extract<ToolCall['content'][number], { readonly type: 'diff' }>

/** A short word for ACP's kind of a tool call. */
export function toolWord(kind: string): string {
  return kind === 'execute' ? 'run' : kind
}

/** The title without the verb that `toolWord` names: README.md for "Read README.md". */
export function toolObject({ kind, title }: Pick<ToolCall, 'kind' | 'title'>): string {
  const [, verb = '', rest = ''] = /^(\p{L}+):? +(\S.*)$/su.exec(title) ?? []
  return isVerbOf(kind, verb) ? rest : title
}

export function describeRequest({ kind, title, locations }: ToolCall): string {
  const paths = locations.map(({ path }) => oneLine(path)).filter((path) => !title.includes(path))
  const isNamed = toolObject({ kind, title }) !== title
  const asked = `The agent asks for permission${isNamed ? '' : ` (${oneLine(kind)})`}: ${oneLine(title)}`
  return [asked, ...paths].join(' · ')
}

/** The diffs of a call as lines with colours, at most 40 in total. */
export function describeDiffs(
  { content }: Pick<ToolCall, 'content'>,
  stream: CommandOutput,
): string[] {
  const lines = content.flatMap((part) => (part.type === 'diff' ? diffOf(part) : []))
  const left = lines.length - MAX_DIFF_LINES
  const more = `… ${left} more ${left === 1 ? 'line' : 'lines'}`
  const shown = left > 0 ? [...lines.slice(0, MAX_DIFF_LINES), more] : lines
  return shown.map((line) => styleText(STYLES[line[0] ?? ''] ?? 'dim', `  ${line}`, { stream }))
}

function diffOf({ path, oldText, newText }: Diff): string[] {
  const head = `@@ ${oneLine(path)}${oldText === null || oldText === undefined ? ' (new file)' : ''}`
  if (readCut(oldText ?? '') || readCut(newText))
    return [head, '! The texts are too long to be compared here. See the page.']
  const lines = diffLines(oldText ?? '', newText)
  return [
    head,
    ...lines.map(({ sign, text }) => sign + escapeInvisible(text.slice(0, MAX_LINE_CHARS))),
  ]
}

function isVerbOf(kind: string, verb: string): boolean {
  const word = verb.toLowerCase()
  return [kind, toolWord(kind)].some((known) => word === known || isGerund(word, known))
}

/** Reading for read, moving for move, running for run. */
function isGerund(word: string, verb: string): boolean {
  const stem = verb.replace(/e$/, '')
  return word === `${stem}ing` || word === `${stem}${stem.at(-1) ?? ''}ing`
}
