import { expect, test } from 'vitest'
import { highlight as highlightBlock } from '../session/markdown/highlight.js'
import { highlight } from './highlight.js'

test('a file that is read takes no colours from the conversation', async () => {
  const [line] = (await highlight('a.ts', 'const a = 1\n')) ?? []
  expect(line?.[0]).toEqual({ text: 'const', scope: 'keyword' })
  const [keyword] = highlightBlock('const a = 1', 'typescript') ?? []
  expect(keyword).toEqual({ scope: 'keyword', children: ['const'] })
})
