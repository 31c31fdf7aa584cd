// The facts of a tool call that permission rules judge: its kind, its command lines, and every path that it names.
import { homedir } from 'node:os'
import { isAbsolute, relative, resolve } from 'node:path'
import { commandLineOf, readCut, type ToolCall } from '@quayside/protocol'
import { isObject } from '../../json.js'
import { collapseSpaces, wordsOf } from './command-lines.js'

/** A call as the page shows it. */
export type KnownCall = {
  readonly call: ToolCall
  /** False when parts of it are no longer known here: it has finished, or was too large. */
  readonly isWhole: boolean
}

export type CallFacts = {
  readonly kind: string
  /** The command of the input. The title of a call that executes, if there is no other or if it is another command. */
  readonly lines: readonly string[]
  readonly title: string
  readonly hasDiff: boolean
  readonly paths: readonly CallPath[]
  /** There is something to judge, and nothing is missing. */
  readonly isComplete: boolean
}

export type CallPath = {
  readonly absolute: string
  /** Relative to the repository. */
  readonly relative: string
  readonly isOutside: boolean
}

/** Judging takes time for each path and rule. A call with more texts or paths is asked about. */
const MAX_TEXTS = 1_000
const MAX_PATHS = 200
const MAX_TITLE_CHARS = 4_096

export function factsOf({ call, isWhole }: KnownCall, root: string): CallFacts {
  const { kind, content, locations } = call
  const title = call.title.slice(0, MAX_TITLE_CHARS)
  const diffs = content.filter((entry) => entry.type === 'diff')
  const lines = linesOf(call)
  const texts = firstOf(textsIn(withoutCommand(call.rawInput)), MAX_TEXTS)
  const named = [
    ...[...locations, ...diffs].map(({ path }) => path),
    ...texts.flatMap(pathsInInput),
    ...lines.flatMap(pathsInLine),
  ]
  const paths = [...new Set([...named, ...pathsInTitle(title, named.slice(0, MAX_PATHS))])]
  const isCut = [title, ...lines, ...texts.map(({ text }) => text)].some((text) => readCut(text))
  const isTooLong = title !== call.title || texts.length === MAX_TEXTS || paths.length > MAX_PATHS
  const isUnnamed = CHANGES.has(kind) && paths.length === 0
  return {
    kind,
    lines,
    title,
    hasDiff: diffs.length > 0,
    paths: paths.slice(0, MAX_PATHS).map((path) => locate(path, root)),
    isComplete: isWhole && !isCut && !isTooLong && !isUnnamed && hasFacts(call),
  }
}

function firstOf<Value>(values: Iterable<Value>, count: number): Value[] {
  const first: Value[] = []
  for (const value of values) if (first.push(value) === count) break
  return first
}

/** A call of these kinds that names no file cannot be judged. */
const CHANGES = new Set(['edit', 'delete', 'move'])

function hasFacts({ toolCallId, title, kind, content, locations, rawInput }: ToolCall): boolean {
  const isNamed = title !== toolCallId || kind !== 'other'
  return isNamed || content.length > 0 || locations.length > 0 || rawInput !== undefined
}

function linesOf({ kind, title, rawInput }: ToolCall): string[] {
  const command = commandLineOf(rawInput)
  if (command === undefined) return kind === 'execute' ? [title] : []
  return isOtherCommand(title, command) ? [command, title] : [command]
}

/** A title describes the command, repeats it or shortens it. More than that is a second command. */
function isOtherCommand(title: string, command: string): boolean {
  const [said, line] = [collapseSpaces(title), collapseSpaces(command)]
  if (line.startsWith(said.replace(/(?:…|\.\.\.)$/, '').trim())) return false
  return /[;|$<>\n]|&&/.test(said.replaceAll(line, ''))
}

/** The command is judged as a line. */
function withoutCommand(rawInput: unknown): unknown {
  if (commandLineOf(rawInput) === undefined || !isObject(rawInput)) return rawInput
  const { command, cmd, args: _args, ...rest } = rawInput
  return command === undefined || command === null ? rest : { ...rest, cmd }
}

type InputText = { readonly key: string; readonly text: string }

/** Every text of the input; keys of objects too, because some agents list changes by path. */
function* textsIn(value: unknown, key = ''): Generator<InputText> {
  if (typeof value === 'string') yield { key, text: value }
  else if (Array.isArray(value)) for (const one of value) yield* textsIn(one, key)
  else if (isObject(value))
    for (const [name, one] of Object.entries(value)) {
      yield { key: '', text: name }
      yield* textsIn(one, name)
    }
}

const MAX_PATH_CHARS = 4_096
const PATH_KEY =
  /path|file|dir|folder|cwd|root|notebook|uri|destination|^(?:src|dest|target|from|to)$/i
/** Of a unified diff, and of the patches that Codex writes. */
const PATCHED_FILE =
  /^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to): |(?:---|\+\+\+) (?:[ab]\/)?|rename (?:from|to) )(.+)$/gm

function pathsInInput({ key, text }: InputText): string[] {
  if (text.includes('\n')) return [...text.matchAll(PATCHED_FILE)].map(([, path = '']) => path)
  if (text === '' || text.length > MAX_PATH_CHARS || isWebAddress(text)) return []
  return PATH_KEY.test(key) || isPathLike(text) ? [text] : []
}

/** A path may contain spaces if it begins like one. */
function isPathLike(text: string): boolean {
  return /^(?:\/|\.\.?\/|~)/.test(text) || (/^\.|\//.test(text) && !/\s/.test(text))
}

/** Reading or starting a program of the system, or writing to no file, reaches no file of a person. */
const HARMLESS = /^\/(?:(?:usr\/(?:local\/)?)?s?bin\/[\w.+-]+|dev\/(?:null|std(?:in|out|err)|tty))$/

function pathsInLine(line: string): string[] {
  return wordsOf(line).filter(
    (word) => isPathLike(word) && !isWebAddress(word) && !HARMLESS.test(word),
  )
}

/** Titles shorten paths that the call names elsewhere. */
function pathsInTitle(title: string, named: readonly string[]): string[] {
  return pathsInLine(title)
    .map((word) => word.replace(/^(?:…|\.\.\.)\//, '').replace(/[,:]+$|:\d+(?:[-:]\d+)?$/, ''))
    .filter((word) => word !== '' && !named.some((path) => path.endsWith(`/${word}`)))
}

function isWebAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text) && !/^file:/i.test(text)
}

function locate(path: string, root: string): CallPath {
  const plain = path.replace(/^file:\/\/(?:localhost)?/i, '')
  const isHome = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/.exec(plain)
  const expanded = isHome ? homedir() + plain.slice(isHome[0].length) : plain
  // The value of another variable or the home of another user is unknown, so it counts as outside.
  const absolute = resolve(root, expanded.replace(/^(?=[~$])/, '/'))
  const inside = relative(root, absolute)
  const isOutside = inside === '..' || inside.startsWith('../') || isAbsolute(inside)
  return { absolute, relative: inside === '' ? '.' : inside, isOutside }
}
