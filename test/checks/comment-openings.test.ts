// Comments open with a noun or a verb, not with "what", "whoever" or "nobody". Each package has a budget, which only falls.
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-tree.ts'

/** Comments with such an opening that are left. When the check says so, lower a number; never raise one. */
const BUDGET: Readonly<Record<string, number>> = {
  'packages/client': 0,
  'packages/hub': 0,
  'packages/protocol': 0,
  'packages/web': 0,
}

const FOLDERS = ['packages', 'scripts', 'bench', 'test']
/** Holds planted violations. */
const THIS_FILE = 'test/checks/comment-openings.test.ts'
const CODE = /\.(tsx?|m?jsx?|mts|css)$/
const OPENINGS =
  /^(what|whatever|who|whoever|whose|whom|whether|where|wherever|how|nobody|nothing|none|again|one (that|who|whose)|of what|so long)\b/i

type Comment = { readonly file: string; readonly line: number; readonly text: string }

/** The first line of each comment: `// …`, `/* …`, or the first line of text inside of a block. */
function commentsIn(file: string, text: string): Comment[] {
  const lines = text.split('\n')
  return lines.flatMap((content, at) => {
    const found = openingOf(content, lines[at - 1] ?? '')
    return found === undefined ? [] : [{ file, line: at + 1, text: found }]
  })
}

function openingOf(line: string, before: string): string | undefined {
  const block = /\/\*\*?\s+(\S.*)/.exec(line)
  if (block !== null) return block[1]
  const inBlock = /^\s*\*\s+(\S.*)/.exec(line)
  if (inBlock !== null) return /^\s*\/\*\*?\s*$/.test(before) ? inBlock[1] : undefined
  const rest = /(^|\s)\/\/\s+(\S.*)/.exec(line)
  if (rest === null) return undefined
  const continues = /^\s*\/\//.test(line) && /^\s*\/\//.test(before)
  return continues ? undefined : rest[2]
}

function idiomIn(comments: readonly Comment[]): Comment[] {
  return comments.filter(({ text }) => OPENINGS.test(text))
}

/** `packages/hub/src/hub.ts` counts for `packages/hub`, `bench/idle.mjs` for `bench`. */
function ownerOf(file: string): string {
  const [folder, name] = file.split('/')
  return folder === 'packages' ? `packages/${name}` : folder!
}

function complaints(found: readonly Comment[], budget: Readonly<Record<string, number>>): string[] {
  const owners = new Set([...Object.keys(budget), ...found.map(({ file }) => ownerOf(file))])
  return [...owners].flatMap((owner) => {
    const own = found.filter(({ file }) => ownerOf(file) === owner)
    const allowed = budget[owner] ?? 0
    if (own.length === allowed) return []
    if (own.length < allowed) return [`${owner}: lower the budget to ${own.length}`]
    const places = own.map(({ file, line, text }) => `  ${file}:${line} ${text}`)
    const excess = `${owner}: ${own.length} comments, ${allowed} allowed; name the subject instead:`
    return [[excess, ...places].join('\n')]
  })
}

function sourceComments(): Comment[] {
  return FOLDERS.flatMap(filesBelow)
    .filter((file) => CODE.test(file) && file !== THIS_FILE)
    .flatMap((file) => commentsIn(file, readText(file)))
}

test('comments open with their subject', () => {
  const comments = sourceComments()
  expect(comments.length).toBeGreaterThan(1000)
  expect(complaints(idiomIn(comments), BUDGET)).toEqual([])
})

test.each([
  '// Whoever reads this.',
  'const one = 1 // nobody asks',
  '/** What it is. */',
  '/**\n * Whether it is.\n */',
  '  // One that waits',
  '{/* How it looks */}',
])('%j is found', (text) => {
  const found = idiomIn(commentsIn('packages/hub/src/hub.ts', text))
  expect(complaints(found, {})).toEqual([expect.stringContaining('1 comments, 0 allowed')])
  expect(complaints(found, { 'packages/hub': 1 })).toEqual([])
  expect(complaints(found, { 'packages/hub': 2 })).toEqual(['packages/hub: lower the budget to 1'])
})

test.each([
  '// The reader of stdout.\n// Whoever it is, it continues a sentence.',
  "fetch('http://what.example')",
  '// Whatsoever',
])('%j is not', (text) => {
  expect(idiomIn(commentsIn('one.ts', text))).toEqual([])
})
