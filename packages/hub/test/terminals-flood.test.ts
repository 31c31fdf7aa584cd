// A terminal with endless output: little of it is kept, the hub responds, and slow readers learn what they missed.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { TerminalHub } from './terminal-fixture.js'

const MEGABYTE = 1024 * 1024
const MANY = 16 * MEGABYTE

let terminals: TerminalHub
beforeAll(async () => {
  terminals = await TerminalHub.start()
})
afterEach(() => terminals.closeAll())
afterAll(() => terminals[Symbol.asyncDispose]())

test('a flood is not buffered for a client that does not read, and affects no other client', async () => {
  const { id, feed: reader } = await terminals.open()
  const sleeper = await terminals.feed()
  await sleeper.follow(id)
  await reader.type(id, `echo be""gin\n`)
  for (const feed of [reader, sleeper]) await feed.until(id, /begin/)
  sleeper.pause()

  await reader.type(id, `yes 'a line of the flood'\n`)
  await reader.untilTrue(() => reader.seen(id).next > MANY)

  expect(await terminals.hub.get('/api/health')).toMatchObject({ status: 'ok' })

  await reader.type(id, '\u0003')
  await reader.until(id, /\^C/)
  await reader.type(id, 'echo "calm again"; exit\n')
  await reader.exited(id)
  expect(reader.seen(id).text).toMatch(/calm again\r\n/)

  sleeper.resume()
  await sleeper.exited(id)
  const { text, skippedBytes, next } = sleeper.seen(id)
  expect(next).toBe(reader.seen(id).next)
  expect(text).toMatch(/calm again\r\n/)
  expect(skippedBytes).toBeGreaterThan(MANY / 2)
})

test('a large output reaches who reads along without a gap, to its last line', async () => {
  const script = `read go; yes 'a line of the flood' | head -c ${8 * MEGABYTE}; echo; echo end`
  const { id, feed } = await terminals.open({ args: ['-c', script] })
  await feed.type(id, '\n')
  await feed.exited(id)
  expect(feed.seen(id).skippedBytes).toBe(0)
  expect(feed.seen(id).next).toBeGreaterThan(8 * MEGABYTE)
  expect(feed.seen(id).text.slice(-5)).toBe('end\r\n')
})

test('a flood without a follower is kept to its last part, which begins with a whole line', async () => {
  const { id } = await terminals.create()
  const feed = await terminals.feed()
  await feed.type(id, `yes 'a line of the flood' | head -c ${MANY}; echo al""l; exit\n`)
  const late = await terminals.feed()
  await feed.follow(id, 0)
  await feed.exited(id)
  await late.follow(id)
  await late.exited(id)
  const { text, skippedBytes } = late.seen(id)
  expect(skippedBytes).toBeGreaterThan(MANY - 2 * MEGABYTE)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MEGABYTE)
  expect(text.slice(0, 23)).toBe('a line of the flood\r\na ')
  expect(text.slice(-5)).toBe('all\r\n')
})

test('input that a program does not read does not pile up, and its terminal can be closed', async () => {
  const { id, feed } = await terminals.open({
    args: ['-c', 'stty raw -echo; echo ready; exec sleep 600'],
  })
  await feed.until(id, /ready/)
  const paste = { terminalId: id, data: 'x'.repeat(60_000) }
  const MANY_PASTES = 200
  let sent = 0
  let refusal: string | undefined
  for (; sent < MANY_PASTES && refusal === undefined; sent += 1)
    refusal = (await feed.call('terminal/input', paste)).error?.data?.code
  expect(refusal).toBe('terminal_busy')
  expect((await terminals.close(id)).status).toBe(204)
  expect(await terminals.list()).toEqual([])
})
