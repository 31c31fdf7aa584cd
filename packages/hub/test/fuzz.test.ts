// Hostile lines from an agent (2,000 in `npm test`, 10,000 in `npm run test:torture`): the hub survives, its own session continues, other sessions' turns end, and the log stays intact.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EventPage, SessionEvent } from '@quayside/protocol'
import { sessionEventSchema } from '@quayside/protocol/schemas'
import { expect, onTestFinished, test, vi } from 'vitest'
import { UpdateRouter } from '../src/agents/connection/update-router.js'
import { LineSplitter, parseLine } from '../src/agents/wire/frames.js'
import { figure, isTorture } from './faults/figure.js'
import { FuzzLines } from './fuzz-lines.js'
import { random } from './random.js'
import { startTestHub, type TestSession } from './test-hub.js'

const AGENT = fileURLToPath(new URL('fuzz-agent.mjs', import.meta.url))
const LINES = isTorture ? 10_000 : 2_000
const ACTS = isTorture ? 20 : 8
/** The last acts are prompts; before them come the responses to initialize and session/new. */
const TURNS = ACTS - 2

test(
  `${LINES} fuzzed lines harm nobody, and the session of the agent that wrote them goes on`,
  { timeout: 120_000 },
  async ({ task }) => {
    await endureFuzz()
    figure(task, { what: 'hostile lines of an agent', count: LINES })
  },
)

test.runIf(isTorture)(
  'a hub that trusts the shape of an update is found out',
  { timeout: 120_000 },
  async () => {
    // Called with its router below.
    // oxlint-disable-next-line typescript/unbound-method
    const { receive } = UpdateRouter.prototype
    using trusting = vi.spyOn(UpdateRouter.prototype, 'receive')
    trusting.mockImplementation(function (this: UpdateRouter, params, chunks) {
      if ((params['update'] as { sessionUpdate: string }).sessionUpdate.length === 0) return
      receive.call(this, params, chunks)
    })
    await expect(endureFuzz()).rejects.toThrow()
  },
)

async function endureFuzz(): Promise<void> {
  const failures = watchForUnhandled()
  const folder = writeExtension(makeActs())
  await using hub = await startTestHub({ env: { QUAYSIDE_EXTENSIONS: folder } })
  const bystander = await hub.createSession('demo')
  await echo(bystander, 'before')

  const fuzzed = await hub.createSession('fuzz')
  for (let turn = 0; turn < TURNS; turn += 1)
    await Promise.all([fuzzed.run(`turn ${turn}.`), echo(bystander, `during ${turn}`)])
  // An invented response may have ended turns early: this is written after the last fuzz.
  await fuzzed.run('all written.')
  await fuzzed.feed.until('acp.update', saysAllWritten)
  await echo(bystander, 'after')

  expect(failures).toEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  await expectOnlyOwnTurns(bystander)
  await expectWholeLog(fuzzed)
  await expectAtWork(fuzzed)
}

test('the fuzz is no mere noise: it holds frames of every kind, and lines that are none', () => {
  const splitter = new LineSplitter()
  const writes = new FuzzLines({ random: random(), mayAnswer: true }).writes(LINES)
  const frames = writes.flatMap((bytes) => splitter.push(bytes)).flatMap(parseLine)
  for (const kind of ['request', 'notification', 'response', 'junk'])
    expect([kind, frames.filter(({ is }) => is === kind).length > LINES / 100]).toEqual([
      kind,
      true,
    ])
})

async function expectOnlyOwnTurns(session: TestSession): Promise<void> {
  const events = await readLog(session)
  const texts = ['before', ...Array.from({ length: TURNS }, (_, n) => `during ${n}`), 'after']
  const ends = events.filter(({ type }) => type === 'turn.ended')
  expect(ends.map(({ data }) => 'stopReason' in data && data.stopReason)).toEqual(
    texts.map(() => 'end_turn'),
  )
  expect(session.feed.text()).toBe(texts.join(''))
  const others = events.filter(({ type }) => !/^(session|agent|turn)\.|^acp\.update$/.test(type))
  expect(others).toEqual([])
}

async function expectWholeLog(session: TestSession): Promise<void> {
  const events = await readLog(session)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  const problems = events.flatMap((event) => {
    const { error } = sessionEventSchema.safeParse(event)
    return (error?.issues ?? []).map(({ path, message }) =>
      [event.type, ...path.filter((step) => typeof step === 'string'), message].join(' '),
    )
  })
  expect([...new Set(problems)]).toEqual([])
  for (const part of ['', '/messages', '/events', '/permissions', '/questions'])
    expect([part, (await session.hub.fetch(session.path + part)).status]).toEqual([part, 200])
}

async function expectAtWork(session: TestSession): Promise<void> {
  expect((await session.run('final.')).data.stopReason).toBe('end_turn')
  expect(JSON.stringify(session.feed.events.slice(-10))).toContain('final.')
}

async function echo(session: TestSession, text: string): Promise<void> {
  expect((await session.run(`echo ${text}`)).data.stopReason).toBe('end_turn')
}

function saysAllWritten({ update }: { readonly update: object }): boolean {
  return JSON.stringify(update).includes('all written.')
}

async function readLog(session: TestSession): Promise<SessionEvent[]> {
  const all: SessionEvent[] = []
  for (;;) {
    const path = `${session.path}/events?after=${all.length}`
    const { events } = await session.hub.get<EventPage>(path)
    if (events.length === 0) return all
    all.push(...events)
  }
}

/** Before the session exists the fuzz must not answer for the agent, else there would be no session. */
function makeActs(): Buffer[][] {
  const numbers = random()
  return Array.from({ length: ACTS }, (_, act) =>
    new FuzzLines({ random: numbers, mayAnswer: act >= 2 }).writes(LINES / ACTS),
  )
}

function writeExtension(acts: readonly Buffer[][]): string {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-fuzz-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'acts.json')
  writeFileSync(
    file,
    JSON.stringify(acts.map((act) => act.map((bytes) => bytes.toString('base64')))),
  )
  const common = { id: 'fuzz', name: 'Fuzz agent', type: 'acp' }
  const registry = { extensions: [{ ...common, path: 'fuzz', enabled: true }] }
  const agent = { command: '${NODE}', args: [AGENT, file], services: ['fs', 'terminal'] }
  mkdirSync(join(folder, 'fuzz'))
  writeFileSync(join(folder, 'extensions.json'), JSON.stringify(registry))
  writeFileSync(join(folder, 'fuzz', 'manifest.json'), JSON.stringify({ ...common, agent }))
  return folder
}

/** Collects uncaught errors and silences the console: the SDK logs each unexpected frame. */
function watchForUnhandled(): unknown[] {
  const failures: unknown[] = []
  const note = (error: unknown) => failures.push(error)
  const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {})
  process.on('unhandledRejection', note).on('uncaughtException', note)
  onTestFinished(() => {
    console.mockRestore()
    process.off('unhandledRejection', note).off('uncaughtException', note)
  })
  return failures
}
