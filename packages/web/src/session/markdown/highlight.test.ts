import { expect, test } from 'vitest'
import { highlight, type CodeNode } from './highlight.js'

test('code keeps every character, and its words have names', () => {
  const source = 'const a = "<img src=x onerror=alert(1)>" // why\n'
  const nodes = highlight(source, 'ts')
  expect(textOf(nodes)).toBe(source)
  expect(scopesOf(nodes)).toEqual(expect.arrayContaining(['keyword', 'string', 'comment']))
})

test('a language that is not known has no colours', () => {
  expect(highlight('x', 'no-such-language')).toBeUndefined()
})

function textOf(nodes: readonly CodeNode[] = []): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('')
}

function scopesOf(nodes: readonly CodeNode[] = []): string[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [node.scope, ...scopesOf(node.children)],
  )
}
