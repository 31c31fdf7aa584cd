// Every path, link and command that a document names exists.
import { dirname, posix } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import type { CommandIo } from '../../packages/hub/src/commands/io/command-io.js'
import { SUBCOMMANDS } from '../../packages/hub/src/commands/subcommands.js'
import { filesBelow, readText } from './source-tree.ts'

const DOCUMENTS = filesBelow().filter((file) =>
  /^[A-Z]+\.md$|^(docs|packages|bench|extensions)\/.*\.md$/.test(file),
)
const SCRIPTS = Object.keys(
  (JSON.parse(readText('package.json')) as { scripts: Record<string, string> }).scripts,
)
const FILES = filesBelow()
/** Test data repeats the names of real files. */
const NAMED = FILES.filter((file) => !/\/test\/.*\.(json|sql|md)$/.test(file))
const FOLDERS = [...new Set(FILES.flatMap(foldersAround))]

/** Folders that a build or a test run makes. */
const MADE = /(^|\/)(dist|bundle|release|test-results|node_modules)(\/|$)/
/** Files of a data directory, of a new migration, and of other programs. */
const ELSEWHERE = [
  'agent.json',
  'config.json',
  'extension-settings.json',
  'file.json',
  'push-keys.json',
  'quayside-demo.md',
  'registry.json',
  'secrets.json',
  'settings.json',
  'sqlite/down.sql',
  'sqlite/up.sql',
  'wire/',
]

type Line = { readonly number: number; readonly text: string; readonly language: string | null }

/** One complaint for each name that does not exist. */
function complaints(document: string, text: string): string[] {
  return linesOf(text).flatMap((line) =>
    [
      ...linksIn(line).flatMap((target) => missingLink(document, target)),
      ...spansIn(line).flatMap(missingPath),
      ...wordsIn(line).flatMap(missingArgument),
      ...commandsIn(line).flatMap(missingCommand),
    ].map((complaint) => `${document}:${line.number} ${complaint}`),
  )
}

/** `language` is null outside of a fenced block. */
function linesOf(text: string): Line[] {
  let language: string | null = null
  return text.split('\n').map((content, at) => {
    const fence = /^\s*```(\w*)/.exec(content)
    const line = { number: at + 1, text: content, language }
    if (fence !== null) language = language === null ? fence[1]! : null
    return line
  })
}

function spansIn({ text, language }: Line): string[] {
  if (language !== null) return []
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)
}

function linksIn({ text, language }: Line): string[] {
  if (language !== null) return []
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/<img src="([^"]+)"/g)]
  return links.map(([, target]) => target!).filter((target) => !/^[a-z]+:/.test(target))
}

function missingLink(document: string, link: string): string[] {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? document : posix.join(dirname(document), path)
  if (!exists(target)) return [`links to ${link}, which does not exist`]
  if (anchor === undefined || !target.endsWith('.md')) return []
  return anchorsOf(target).includes(anchor) ? [] : [`links to ${link}, which is no heading there`]
}

function anchorsOf(document: string): string[] {
  const headings = linesOf(readText(document)).filter(
    ({ text, language }) => language === null && /^#+ /.test(text),
  )
  return headings.map(({ text }) =>
    text
      .replace(/^#+ /, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\d\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}

/** A code span is a path when it ends like a file or a folder of this repository. */
function missingPath(span: string): string[] {
  if (!/^[\w@.<>*/-]+(\.(tsx?|mjs|mts|md|json|sql|css|prisma)|\/)$/.test(span)) return []
  if (/^[/@]/.test(span) || MADE.test(span) || ELSEWHERE.includes(span)) return []
  const found = matching(span)
  if (found.length === 0) return [`names ${span}, which does not exist`]
  const [one, other] = found
  return other === undefined ? [] : [`names ${span}, which may be ${one} or ${other}`]
}

/** A path may leave out its first folders when one file of the hub, or one of all, ends so. */
function matching(path: string): string[] {
  const isFolder = path.endsWith('/')
  const pattern = new RegExp(
    `(^|/)${path
      .replace(/\/$/, '')
      .replaceAll('.', String.raw`\.`)
      .replaceAll(/\*|<\w+>/g, '[^/]+')}$`,
  )
  const found = (isFolder ? FOLDERS : NAMED).filter((candidate) => pattern.test(candidate))
  const whole = found.filter((one) => one === path.replace(/\/$/, ''))
  const hubs = found.filter((one) => one.startsWith('packages/hub/src/'))
  if (whole.length === 1 || /[*<]/.test(path)) return found.slice(0, 1)
  return hubs.length === 1 ? hubs : found
}

function exists(path: string): boolean {
  const plain = path.replace(/\/$/, '')
  return FILES.includes(plain) || FOLDERS.includes(plain)
}

function foldersAround(file: string): string[] {
  const folder = dirname(file)
  return folder === '.' ? [] : [folder, ...foldersAround(folder)]
}

/** Commands in backticks and in blocks for a shell, each as its words. */
function commandsIn(line: Line): string[][] {
  const texts = ['sh', 'text', ''].includes(line.language ?? '-')
    ? [line.text.replace(/\s#.*/, '')]
    : spansIn(line)
  return texts.flatMap((text) => {
    const calls = text.matchAll(/(?:^|[|(;&$]\s*|^\$ )((?:npm|quayside) [^|)<>;&]*)/g)
    return [...calls].map(([, call]) => call!.trim().split(/\s+/))
  })
}

/** Words of a shell's line, such as the arguments of `node` and `npx`. */
function wordsIn(line: Line): string[] {
  const texts = line.language === 'sh' ? [line.text] : spansIn(line)
  return texts.filter((text) => text.includes(' ')).flatMap((text) => text.split(/\s+/))
}

function missingArgument(word: string): string[] {
  if (!/^(packages|scripts|bench|test|docs|tools|extensions)\/[\w./-]+$/.test(word)) return []
  return exists(word) || MADE.test(word) ? [] : [`names ${word}, which does not exist`]
}

function missingCommand([program, ...words]: string[]): string[] {
  if (program === 'quayside') return missingSubcommand(words)
  const [first, ...rest] = words
  if (first !== 'run') return []
  const [script = '', ...args] = rest.filter((word) => word !== '-s' && word !== '--')
  if (!SCRIPTS.includes(script)) return [`names npm run ${script}, which is no script`]
  return script === 'quayside' ? missingSubcommand(args) : []
}

function missingSubcommand(words: readonly string[]): string[] {
  let [command, depth] = [PROGRAM, 0]
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word)
    if (next === undefined) break
    ;[command, depth] = [next, depth + 1]
  }
  const called = ['quayside', ...words.slice(0, depth)].join(' ')
  const rest = words.slice(depth)
  if (depth === 0 && /^[a-z]/.test(rest[0] ?? '-') && rest[0] !== 'help')
    return [`names ${called} ${rest[0]}, which is no command`]
  const options = rest.map((word) => /^--?[a-z][\w-]*/.exec(word)?.[0] ?? '').filter(Boolean)
  return options
    .filter((option) => !knows(command, option))
    .map((option) => `names ${called} ${option}, which is no option of it`)
}

/** Also those of the command that is meant when none of its subcommands is named. */
function knows(command: Command, option: string): boolean {
  const own = [...command.options, ...command.commands.flatMap(({ options }) => options)]
  return (
    ['--help', '--version'].includes(option) ||
    own.some(({ short, long }) => [short, long].includes(option))
  )
}

/** The command line as Commander knows it, with all subcommands loaded. */
async function wholeProgram(): Promise<Command> {
  const program = new Command('quayside')
  for (const [name, [, load]] of Object.entries(SUBCOMMANDS))
    // Commands read their streams when they are called, which none is.
    (await load())(program.command(name), {} as CommandIo)
  return program
}

const PROGRAM = await wholeProgram()

test.each(DOCUMENTS)('%s names only what exists', (document) => {
  expect(complaints(document, readText(document))).toEqual([])
})

test.each([
  ['`hub/src/no-such-file.ts`', 'names hub/src/no-such-file.ts, which does not exist'],
  ['`agents/no-such-room/`', 'names agents/no-such-room/, which does not exist'],
  ['`manifest.json`', expect.stringContaining('names manifest.json, which may be ')],
  ['`node scripts/gone.mjs now`', 'names scripts/gone.mjs, which does not exist'],
  ['[gone](gone.md)', 'links to gone.md, which does not exist'],
  ['[gone](README.md#gone)', 'links to README.md#gone, which is no heading there'],
  ['`npm run gone`', 'names npm run gone, which is no script'],
  ['`quayside gone`', 'names quayside gone, which is no command'],
  ['`npm run -s quayside -- gone`', 'names quayside gone, which is no command'],
  ['`quayside run --gone`', 'names quayside run --gone, which is no option of it'],
  ['```sh\nquayside gone\n```', 'names quayside gone, which is no command'],
])('%j is found', (text, complaint) => {
  const found = complaints('README.md', text).map((one) => one.replace(/^\S+ /, ''))
  expect(found).toEqual([complaint])
})

test.each([
  '`packages/hub/src/hub.ts`, `hub/src/hub.ts`, `event-log.ts`, `agents/wire/`, `acp/<id>/manifest.json`',
  '`session/update`, `/api/sessions`, `fs/*`, `@quayside/client`',
  '`npm run check`, `quayside run "Hello" --auto`, `quayside wire replay FILE --format jsonl`',
])('%j is not', (text) => {
  expect(complaints('README.md', text)).toEqual([])
})
