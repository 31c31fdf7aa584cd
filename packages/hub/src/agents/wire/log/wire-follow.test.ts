import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Redactor } from '../redact/redact.js'
import { WireLog } from './wire-log.js'

const ACP_ID = 'acp-session-of-the-agent'
const OUR_ID = '0198c0de-0000-7000-8000-000000000001'

/** More than the queue holds. */
const LINES = 4_000

function newWireLog(): WireLog {
  return new WireLog({ redactor: new Redactor(), log: pino({ level: 'silent' }) })
}

function update(text: string): string {
  const content = { type: 'text', text }
  const params = { sessionId: ACP_ID, update: { sessionUpdate: 'agent_message_chunk', content } }
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })
}

function textOf(line: unknown): string | undefined {
  const { frame } = line as { frame: { params: { update: { content: { text: string } } } } }
  return frame.params.update.content.text
}

test('whoever follows a session hears its processes from their first line, and no others', async () => {
  const wireLog = newWireLog()
  const open = (name: string, ourId: string) => {
    const wire = wireLog.openProcess(name)
    wire.out(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"of":"${name}"}}`)
    wire.setSession(ACP_ID, ourId)
    return wire
  }
  const first = open('first', OUR_ID)
  first.in(update('before'))
  const stop = new AbortController()
  const pages = wireLog.follow(OUR_ID, 1, stop.signal)
  const next = async () => JSON.stringify((await pages.next()).value)
  expect(await next()).toMatch(/^\[\{[^\n]*before[^\n]*\}\]$/)

  open('other', 'another-session').in(update('theirs'))
  first.in(update('after'))
  // A busy machine reads the lines in several pages.
  const until = async (word: string) => {
    let read = ''
    while (!read.includes(word)) read += await next()
    return read
  }
  expect(await until('after')).not.toContain('theirs')
  const second = open('second', OUR_ID)
  second.in(update('restarted'))
  expect(await until('restarted')).toMatch(/"of":"second".*restarted/)

  stop.abort()
  expect((await pages.next()).done).toBe(true)
})

test('whoever follows and does not read is told how much was left out, and costs no more', async () => {
  const wireLog = newWireLog()
  const wire = wireLog.openProcess('flooding')
  wire.setSession(ACP_ID, OUR_ID)
  const pages = wireLog.follow(OUR_ID, 1, new AbortController().signal)
  await pages.next()
  const filler = 'x'.repeat(3_500)
  for (let number = 0; number < LINES; number += 1) wire.in(update(`${number} ${filler}`))

  const seen: unknown[] = []
  for await (const page of pages) {
    seen.push(...page)
    if ('dropped' in page.at(-1)!) break
  }
  expect(seen.pop()).toMatchObject({ dropped: LINES - seen.length })
  expect(seen.map(textOf)).toEqual(seen.map((_, number) => `${number} ${filler}`))
})

test('only so many follow at the same time, and whoever leaves makes room', async () => {
  const wireLog = newWireLog()
  const follow = () => wireLog.follow(OUR_ID, 1, new AbortController().signal)
  const followers = Array.from({ length: 16 }, follow)
  for (const follower of followers) await follower.next()
  await expect(follow().next()).rejects.toMatchObject({ code: 'connection_limit' })
  await followers[0]!.return(undefined)
  expect((await follow().next()).value).toEqual([])
})
