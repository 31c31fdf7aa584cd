import { expect, test } from 'vitest'
import { highlightBlock, highlightFile, type CodeNode } from './highlight.js'

test('code keeps every character, and its words have names', () => {
  const source = 'const a = "<img src=x onerror=alert(1)>" // why\n'
  const nodes = highlightBlock(source, 'ts')
  expect(textOf(nodes)).toBe(source)
  expect(scopesOf(nodes)).toEqual(expect.arrayContaining(['keyword', 'string', 'comment']))
})

test('a language that is not known has no colours', () => {
  expect(highlightBlock('x', 'no-such-language')).toBeUndefined()
  expect(highlightFile('a.no-such-language', 'x')).toBeUndefined()
})

test('a file has the same colours as a block, line by line', () => {
  const [line] = highlightFile('a.ts', 'const a = 1\n') ?? []
  expect(line?.[0]).toEqual({ text: 'const', scope: 'keyword' })
  const [keyword] = highlightBlock('const a = 1', 'typescript') ?? []
  expect(keyword).toEqual({ scope: 'keyword', children: ['const'] })
})

test('the lines of a file keep every character, also of a language inside another', () => {
  const source = '<script>\n  // why\n  let a = `b\n  c`\n</script>\n<p>text</p>'
  const lines = highlightFile('a.html', source) ?? []
  expect(lines.map((line) => line.map(({ text }) => text).join('')).join('\n')).toBe(source)
  expect(lines[1]).toContainEqual({ text: '// why', scope: 'comment' })
  expect(lines[5]).toContainEqual({ text: 'text', scope: undefined })
})

function textOf(nodes: readonly CodeNode[] = []): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('')
}

function scopesOf(nodes: readonly CodeNode[] = []): string[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [node.scope, ...scopesOf(node.children)],
  )
}
