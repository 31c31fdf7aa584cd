import { expect, test } from 'vitest'
import { stderrTail } from './stderr-tail.js'

test('the end of stderr begins at a line and has no colours', () => {
  const text = 'sessionId=cdcec9b0 service=log\n\u001B[91m\u001B[1mError: \u001B[0mno model\n'
  expect(stderrTail(text, 1000)).toBe('sessionId=cdcec9b0 service=log\nError: no model')
  expect(stderrTail(text, 30)).toBe('Error: no model')
  expect(stderrTail('a very long line', 4)).toBe('…line')
})
