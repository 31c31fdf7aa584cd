// No `await` inside of the list of a `Promise.all`: while it waits, the promises before it have no handler, and one that
// rejects meanwhile ends the process.
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-tree.ts'

type Node = { readonly type: string; readonly start: number; readonly [field: string]: unknown }

const COMBINED = /^Promise\.(all|allSettled|any|race)$/

function findAwaits(file: string, text: string): string[] {
  if (!/Promise\.(all|any|race)/.test(text)) return []
  const found: string[] = []
  const visit = (value: unknown, isInList: boolean): void => {
    if (Array.isArray(value)) return value.forEach((entry) => visit(entry, isInList))
    if (!isNode(value)) return
    if (value.type === 'AwaitExpression' && isInList)
      found.push(`${file}:${text.slice(0, value.start).split('\n').length}`)
    // The body of a function runs later, and has its own waits.
    const isInside = isInList && !/Function/.test(value.type)
    const list = combinedList(value, text)
    for (const child of Object.values(value)) visit(child, isInside)
    if (list !== undefined) visit(list, true)
  }
  visit(parseSync(file, text).program, false)
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** The list that is written out in a call of `Promise.all` and its siblings. */
function combinedList(node: Node, text: string): unknown {
  if (node.type !== 'CallExpression') return undefined
  const { start, end } = node['callee'] as { start: number; end: number }
  const [list] = node['arguments'] as readonly Node[]
  return COMBINED.test(text.slice(start, end)) && list?.type === 'ArrayExpression'
    ? list
    : undefined
}

test('no promise of a list is left without a handler', () => {
  const files = filesBelow('packages').filter((file) => /\.(tsx?|mjs)$/.test(file))
  expect(files.flatMap((file) => findAwaits(file, readText(file)))).toEqual([])
})

test('an await in the list is found, also in a spread; one in a function or before the list is not', () => {
  const bad = 'await Promise.all([a(), ...(await b()).map(c)])\nawait Promise.race([await d()])'
  expect(findAwaits('bad.ts', bad)).toEqual(['bad.ts:1', 'bad.ts:2'])
  const good = 'const b = await c()\nawait Promise.all([a(), (async () => await d())(), ...b])'
  expect(findAwaits('good.ts', good)).toEqual([])
})
