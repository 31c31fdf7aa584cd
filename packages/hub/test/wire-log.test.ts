// The wire log with real files: memory, written lines, rotation, and no secret in any of them.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Redactor } from '../src/agents/wire/redact/redact.js'
import { MAX_WIRE_FILE_BYTES, WireFile } from '../src/agents/wire/log/wire-file.js'
import { type KeptLine, WireReader } from '../src/agents/wire/log/wire-frame.js'
import { WireLog } from '../src/agents/wire/log/wire-log.js'

const SECRET = 'open-sesame-0815'
const ACP_ID = 'acp-session-of-the-agent'
const OUR_ID = '0198c0de-0000-7000-8000-000000000001'
const log = pino({ level: 'silent' })

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'quayside-wire-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function newWireLog(withFiles = false): WireLog {
  const redactor = new Redactor([SECRET])
  return new WireLog({ folder: withFiles ? join(folder, 'wire') : undefined, redactor, log })
}

function update(text: string, sessionId = ACP_ID): string {
  const content = { type: 'text', text }
  const params = { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } }
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })
}

function textOf(frame: unknown): string | undefined {
  const { params } = frame as { params?: { update?: { content?: { text?: string } } } }
  return params?.update?.content?.text
}

function files(): string[] {
  return readdirSync(join(folder, 'wire')).toSorted()
}

function readLines(path: string): Record<string, unknown>[] {
  const text = readFileSync(path, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('the newest 200 frames are kept, in order, for the hub and for each process', () => {
  const wireLog = newWireLog()
  const a = wireLog.openProcess('demo-1')
  const b = wireLog.openProcess('demo-2')
  for (let i = 0; i < 500; i += 1) a.in(update(`a${i}`))
  for (let i = 0; i < 50; i += 1) b.out(update(`b${i}`))
  const hub = wireLog.recent(1_000)
  expect(hub).toHaveLength(200)
  expect(textOf(hub[0]?.frame)).toBe('a350')
  expect(textOf(hub.at(-1)?.frame)).toBe('b49')
  expect(wireLog.recent(1_000, { process: 'demo-1' }).map(({ frame }) => textOf(frame))).toEqual(
    Array.from({ length: 200 }, (_, i) => `a${i + 300}`),
  )
  expect(wireLog.recent(2).map(({ frame }) => textOf(frame))).toEqual(['b48', 'b49'])
  expect(wireLog.recent(0)).toEqual([])
  expect(wireLog.recent(1_000, { direction: 'out' })).toHaveLength(50)
})

test('a frame has its time, direction, process, length and content', () => {
  const wireLog = newWireLog()
  const wire = wireLog.openProcess('demo-1')
  wire.in(update('ä'))
  wire.in('Loading model…')
  wire.stderr('warning: half a li')
  wire.stderr('ne\n')
  const [frame, junk, stderr, ...rest] = wireLog.recent(10)
  expect(frame).toEqual({
    at: expect.any(Number),
    direction: 'in',
    process: 'demo-1',
    session: 'acp-sess',
    sessionId: ACP_ID,
    frame: JSON.parse(update('ä')) as unknown,
    bytes: Buffer.byteLength(update('ä')),
  })
  expect(Math.abs((frame?.at ?? 0) - Date.now())).toBeLessThan(60_000)
  expect(junk).toMatchObject({ frame: 'Loading model…', bytes: 16 })
  expect(stderr).toMatchObject({ direction: 'stderr', frame: 'warning: half a line' })
  expect(rest).toEqual([])
})

test('frames carry our session, also those from before it was known, and answers carry that of their request', () => {
  const wireLog = newWireLog()
  const wire = wireLog.openProcess('demo-1')
  wire.out('{"id":1,"method":"session/new","params":{"cwd":"/"}}')
  wire.in(`{"id":1,"result":{"sessionId":"${ACP_ID}"}}`)
  wire.out(`{"id":2,"method":"session/prompt","params":{"sessionId":"${ACP_ID}"}}`)
  wire.in(`{"id":0,"method":"session/request_permission","params":{"sessionId":"other"}}`)
  wire.in('{"id":2,"result":{"stopReason":"end_turn"}}')
  wire.out('{"id":0,"result":{"outcome":{"outcome":"cancelled"}}}')
  wire.setSession(ACP_ID, OUR_ID)
  expect(wireLog.recent(10).map(({ session }) => session)).toEqual([
    undefined,
    '0198c0de',
    '0198c0de',
    'other',
    '0198c0de',
    'other',
  ])
  expect(wireLog.recent(10, { sessionId: OUR_ID })).toHaveLength(4)
  wire.setSession('other', 'another-of-ours')
  expect(wireLog.recent(10, { sessionId: OUR_ID })).toHaveLength(3)
  expect(wireLog.recent(10, { sessionId: 'another-of-ours' })).toHaveLength(2)
  expect(wireLog.recent(10, { sessionId: 'nobody' })).toEqual([])
})

test('the wire of an agent that ended can still be read', async () => {
  const wireLog = newWireLog()
  const wire = wireLog.openProcess('demo-1')
  wire.setSession(ACP_ID, OUR_ID)
  wire.in(update('last words'))
  wire.stderr('panic')
  await wire.close()
  expect(wireLog.recent(9, { sessionId: OUR_ID }).at(-1)).toMatchObject({ frame: 'panic' })
  for (let i = 0; i < 20; i += 1) await wireLog.openProcess(`later-${i}`).close()
  expect(wireLog.recent(9, { process: 'demo-1' })).toEqual([])
})

test('of a huge line only its beginning is kept, still readable, with its length', () => {
  const wireLog = newWireLog()
  const wire = wireLog.openProcess('demo-1')
  const huge = update(`${'word '.repeat(3_200_000)}end`)
  wire.in(huge)
  const [frame] = wireLog.recent(1)
  expect(frame).toMatchObject({ session: 'acp-sess', bytes: huge.length, cut: true })
  expect(textOf(frame?.frame)).toMatch(/^word word .*…$/)
  expect(JSON.stringify(frame).length).toBeLessThan(8_000)
})

test('of huge lines only the beginnings are kept', () => {
  const wire = newWireLog().openProcess('demo-1')
  wire.in(update('y'.repeat(4_000_000)))
  for (let i = 0; i < 199; i += 1) wire.stderr(`${'z'.repeat(10_000)}\n`)
  expect(wire.lines().map(({ text }) => text.length)).toEqual(
    Array.from({ length: 200 }, () => 4_096),
  )
})

test('no secret is shown: by name, by form, by value, whole or cut', () => {
  const wireLog = newWireLog()
  const wire = wireLog.openProcess('demo-1')
  const token = `ghp_${'aB3d'.repeat(9)}`
  const env = [{ name: 'X_API_KEY', value: 'plain' }]
  wire.out(JSON.stringify({ method: 'session/new', params: { mcpServers: [{ env }] } }))
  wire.in(update(`the token ${token} and ${SECRET}`))
  wire.in(JSON.stringify({ params: { apiKey: 'plain', pad: 'x '.repeat(4_000) } }))
  wire.stderr(`Authorization: Bearer ${SECRET}\nPASSWORD=plain\n`)
  expect(wireLog.recent(200)).toHaveLength(4)
  expect(JSON.stringify(wireLog.recent(200))).not.toMatch(/open-|plain|ghp_/)
})

test('no part of a secret is shown, wherever a long line is cut', () => {
  const wireLog = newWireLog()
  const wire = wireLog.openProcess('demo-1')
  for (let pad = 3_850; pad < 4_050; pad += 1)
    wire.in(update(`${'x'.repeat(pad % 7)}${' x'.repeat(pad / 2)} ${SECRET} ${'y '.repeat(200)}`))
  const frames = wireLog.recent(200)
  expect(frames.every(({ cut }) => cut)).toBe(true)
  expect(JSON.stringify(frames)).not.toMatch(/op|sesa/)
  expect(JSON.stringify(frames)).toContain('[redacted]')
})

test('a file per process holds every frame, redacted, for its owner only', async () => {
  const wireLog = newWireLog(true)
  const wire = wireLog.openProcess('@scope/demo agent-42')
  wire.setSession(ACP_ID, OUR_ID)
  wire.out(JSON.stringify({ id: 1, method: 'initialize', params: { token: 'plain' } }))
  wire.in(update(`one ${SECRET}`))
  wire.in(update('large '.repeat(5_000)))
  wire.in(update('huge '.repeat(50_000)))
  wire.stderr('API_KEY=plain')
  await wireLog.close()
  const [name = '', ...others] = files()
  expect(others).toEqual([])
  expect(name).toMatch(/^demo_agent-42-\d{8}T\d{9}Z\.jsonl$/)
  const path = join(folder, 'wire', name)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'wire')).mode & 0o777).toBe(0o700)
  expect(readFileSync(path, 'utf8')).not.toMatch(/sesame|plain/)
  const lines = readLines(path)
  expect(lines.map(({ direction }) => direction)).toEqual(['out', 'in', 'in', 'in', 'stderr'])
  expect(lines[1]).toMatchObject({ session: '0198c0de', process: '@scope/demo agent-42' })
  expect(textOf(lines[2]?.['frame'])).toBe('large '.repeat(5_000))
  expect(lines[3]).toMatchObject({ cut: true, bytes: update('huge '.repeat(50_000)).length })
})

test('no files without a folder', async () => {
  const wireLog = newWireLog()
  wireLog.openProcess('demo-1').in(update('x'))
  await wireLog.close()
  expect(readdirSync(folder)).toEqual([])
})

test('a file rotates at 2 MB; both parts are whole, in order, and nothing is missing between them', async () => {
  const wireLog = newWireLog(true)
  const wire = wireLog.openProcess('demo-1')
  const count = 9_000
  for (let i = 0; i < count; i += 1) {
    wire.in(update(`${i} ${randomBytes(150).toString('hex')}`))
    if (i % 500 === 0) await setImmediate()
  }
  await wireLog.close()
  const [current = '', old = '', ...others] = files()
  expect(others).toEqual([])
  expect(old).toBe(`${current}.old`)
  const parts = [old, current].map((name) => join(folder, 'wire', name))
  for (const path of parts) {
    expect(statSync(path).size).toBeLessThanOrEqual(MAX_WIRE_FILE_BYTES)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  }
  const numbers = parts
    .flatMap(readLines)
    .map(({ frame }) => Number.parseInt(textOf(frame) ?? '', 10))
  const first = numbers[0] ?? -1
  expect(first).toBeGreaterThan(0)
  expect(numbers).toEqual(Array.from({ length: count - first }, (_, i) => first + i))
})

test('a file that is already too large rotates at the start', async () => {
  const path = join(folder, 'demo.jsonl')
  writeFileSync(path, `{"old":"${'x'.repeat(MAX_WIRE_FILE_BYTES)}"}\n`)
  const file = new WireFile({ path, reader: new WireReader(new Redactor()), log })
  file.append(keptLine('{"n":1}'))
  await file.close()
  expect(readLines(`${path}.old`)).toHaveLength(1)
  expect(readLines(path)).toMatchObject([{ frame: { n: 1 } }])
})

test('when the disk does not keep up, lines are left out and counted where they would stand', async () => {
  const path = join(folder, 'demo.jsonl')
  const reader = new WireReader(new Redactor())
  const file = new WireFile({ path, reader, log, maxWaitingChars: 10_000 })
  const count = 5_000
  for (let i = 0; i < count; i += 1) {
    file.append(keptLine(JSON.stringify({ n: i })))
    if (i === 4_000) while (!existsSync(path) || statSync(path).size === 0) await setImmediate()
  }
  await file.close()
  let next = 0
  for (const line of readLines(path)) {
    if (typeof line['dropped'] === 'number') next += line['dropped']
    else expect((line['frame'] as { n: number }).n).toBe(next++)
  }
  expect(next).toBe(count)
  expect(readLines(path).length).toBeLessThan(count)
})

test('a folder that cannot be written costs one warning and no agent', async () => {
  const warnings: unknown[] = []
  const listening = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) })
  const path = join(folder, 'a-file', 'demo.jsonl')
  writeFileSync(join(folder, 'a-file'), '')
  const file = new WireFile({ path, reader: new WireReader(new Redactor()), log: listening })
  file.append(keptLine('{"n":1}'))
  await file.close()
  file.append(keptLine('{"n":2}'))
  await file.close()
  expect(warnings).toHaveLength(1)
})

test('the newest 50 files stay, and everything that is no wire log', async () => {
  const wireLog = newWireLog(true)
  await wireLog.openProcess('first').close()
  await wireLog.close()
  for (let i = 0; i < 80; i += 1) {
    const path = join(folder, 'wire', `old-${i}.jsonl${i % 4 === 0 ? '.old' : ''}`)
    writeFileSync(path, '{}\n')
    utimesSync(path, 1_000 + i, 1_000 + i)
  }
  writeFileSync(join(folder, 'wire', 'notes.txt'), 'mine')
  const wire = wireLog.openProcess('demo-1')
  wire.in(update('x'))
  await wireLog.close()
  const names = files()
  expect(names).toContain('notes.txt')
  expect(names).toContain('old-79.jsonl')
  expect(names).not.toContain('old-1.jsonl')
  expect(names.filter((name) => name.includes('.jsonl')).length).toBeLessThanOrEqual(50)
  expect(names.filter((name) => name.includes('.jsonl')).length).toBeGreaterThan(40)
})

function keptLine(text: string): KeptLine {
  const source = { process: 'demo-1', sessions: new Map<string, string>() }
  return { at: Date.now(), direction: 'in', source, text, bytes: -1, cut: false }
}
