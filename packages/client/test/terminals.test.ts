// People's terminals through the client, with real shells and a real hub.
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { TerminalHub } from '../../hub/test/terminal-fixture.js'
import type { AgentChatClient } from '../src/index.js'
import { type TerminalEvent, terminalsOf } from '../src/terminals.js'
import { BadNetwork } from './bad-network.js'
import { clientOf } from './hub-client.js'

const SHELL = { command: '/bin/sh', cols: 80, rows: 24 }

let hub: TerminalHub
beforeAll(async () => {
  hub = await TerminalHub.start()
})
afterEach(() => hub.closeAll())
afterAll(() => hub[Symbol.asyncDispose]())

/** Reads until the pattern matches, and returns everything read. */
async function readUntil(
  events: AsyncIterable<TerminalEvent>,
  pattern: RegExp,
  onOutput = (_text: string) => {},
): Promise<string> {
  let text = ''
  for await (const event of events) {
    if (event.type !== 'output') break
    text += event.data
    onOutput(text)
    if (pattern.test(text)) return text
  }
  throw new Error(`It ended before ${String(pattern)} was seen:\n${text}`)
}

async function openShell(client: AgentChatClient, wish: object = {}) {
  const [repo] = await client.repos.list()
  return terminalsOf(client).open({ ...SHELL, repoId: repo?.id ?? '', ...wish })
}

test('a terminal is opened, typed into, resized and closed', async () => {
  await using client = clientOf(hub.hub.hub.address)
  await client.connect()
  const { id } = await openShell(client)
  expect(await terminalsOf(client).list()).toMatchObject([{ id, label: 'sh', exit: null }])

  await terminalsOf(client).resize(id, { cols: 101, rows: 33 })
  await terminalsOf(client).write(id, 'stty size; echo do""ne\n')
  const text = await readUntil(terminalsOf(client).follow(id), /done\r\n/)

  expect(text).toContain('33 101')
  await terminalsOf(client).close(id)
  expect(await terminalsOf(client).list()).toEqual([])
  const late = readUntil(terminalsOf(client).follow(id), /anything/)
  await expect(late).rejects.toMatchObject({ code: 'terminal_not_found' })
})

test('who comes later reads the earlier output, and how the program ended', async () => {
  await using client = clientOf(hub.hub.hub.address)
  const { id } = await openShell(client, { args: ['-c', 'printf "<€😀>"; exit 7'] })

  const first = await collect(terminalsOf(client).follow(id))
  const again = await collect(terminalsOf(client).follow(id))

  // No program waits for an answer to a query in past output.
  expect(again).toEqual(
    first.map((event) => (event.type === 'output' ? { ...event, isPast: true } : event)),
  )
  expect(textOf(first)).toBe('<€😀>')
  expect(first.at(-1)).toMatchObject({ type: 'exited', exit: { exitCode: 7 } })
  const rest = await collect(terminalsOf(client).follow(id, { after: 4 }))
  expect(textOf(rest)).toBe('😀>')
  await expect(terminalsOf(client).write(id, 'x')).rejects.toMatchObject({
    code: 'terminal_exited',
  })
})

test('disconnects while it prints leave no gap and no repeat', async () => {
  await using network = await BadNetwork.to(hub.hub.hub.address)
  await using client = clientOf(network.url)
  // In many small parts, so that a connection can be cut between them.
  const script = `i=0; while [ $i -lt 4000 ]; do i=$((i+1)); echo "line $i €"
    [ $((i % 50)) = 0 ] && sleep 0.02; done; echo the e""nd`
  const { id } = await openShell(client, { args: ['-c', `read go; ${script}; read go`] })
  const cut = () => {
    if (network.cuts < 100 && client.connection.state === 'open') network.cut()
  }
  network.pieceBytes = 700
  const reading = readUntil(terminalsOf(client).follow(id), /the end\r\n/, cut)
  await client.connect().catch(() => {})
  while (network.cuts === 0) {
    await terminalsOf(client)
      .write(id, 'go\n')
      .catch(() => {})
    await setImmediate()
  }

  const lines = (await reading).split('\r\n').filter((line) => line.startsWith('line'))

  // Many more where reconnecting takes less time than printing.
  expect(network.cuts).toBeGreaterThan(2)
  expect(lines).toEqual(Array.from({ length: 4000 }, (_, at) => `line ${at + 1} €`))
})

test('a reader that is slow is behind; it loses at most what the hub no longer keeps', async () => {
  await using client = clientOf(hub.hub.hub.address)
  const script = 'head -c 6000000 /dev/zero | tr "\\0" x; echo; echo the e""nd'
  const { id } = await openShell(client, { args: ['-c', script] })
  let next = 0
  let pieces = 0

  for await (const event of terminalsOf(client).follow(id)) {
    if (event.type === 'exited') break
    expect(event.offset).toBe(next + event.skippedBytes)
    next = event.next
    pieces += 1
    if (pieces % 10 === 0) await setImmediate()
  }

  expect(next).toBe(6_000_000 + '\r\nthe end\r\n'.length)
})

test('a second reader takes over, and an aborted one says nothing more', async () => {
  await using client = clientOf(hub.hub.hub.address)
  await client.connect()
  const { id } = await openShell(client)
  const first = collect(terminalsOf(client).follow(id))
  const abort = new AbortController()
  const second = collect(terminalsOf(client).follow(id, { signal: abort.signal }))
  await first
  abort.abort()
  await second
  await terminalsOf(client).write(id, 'echo th""ird\n')

  expect(await readUntil(terminalsOf(client).follow(id), /third\r\n/)).toContain('third')
})

test('typing without a connection is refused, not lost in silence', async () => {
  await using client = clientOf(hub.hub.hub.address)
  const { id } = await openShell(client)
  await expect(terminalsOf(client).write(id, 'x')).rejects.toMatchObject({ code: 'unreachable' })
})

async function collect(events: AsyncIterable<TerminalEvent>): Promise<TerminalEvent[]> {
  const all: TerminalEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

function textOf(events: readonly TerminalEvent[]): string {
  return events.map((event) => (event.type === 'output' ? event.data : '')).join('')
}
