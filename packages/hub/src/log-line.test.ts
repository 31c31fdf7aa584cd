// Lines of the log, as a person at a terminal reads them.
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { formatLogLine } from './log-line.js'

function shown(write: (log: pino.Logger) => void): string {
  let line = ''
  write(pino({ base: null }, { write: (text: string) => (line += text) }))
  return formatLogLine(line, new PassThrough())
}

test('an entry is one short line without JSON', () => {
  const facts = { sessionId: '01a1eb8d-77ed-75a6-8def-a330aaa7fe33', tools: { calls: 0 }, found: 1 }
  const line = shown((log) => log.info(facts, 'turn ended'))
  expect(line).toMatch(/^\d\d:\d\d:\d\d turn ended sessionId=a7fe33 found=1\n$/)
})

test('of an error the message is shown, and nothing that a terminal obeys', () => {
  const line = shown((log) => log.error({ err: new Error('bad \u001B[2J') }, 'saving failed'))
  expect(line).toMatch(/saving failed err="bad \\\\?u001b\[2J"\n$/)
  expect(formatLogLine('agent \u001B[2J wrote\n', new PassThrough())).toBe(
    'agent \\u001b[2J wrote\n',
  )
})
