// `agents check` against correct and faulty agents: each fault is found by its own check and by no other.
import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { AgentRuntime } from '../src/agents/agent-runtime.js'
import { checkAgent, CHECKS } from '../src/agents/check/check-agent.js'
import type { CheckResult } from '../src/agents/check/check.js'
import { loadConfig } from '../src/config/config.js'
import { writeFaultyAgents } from './faulty-agents.js'
import { quayside } from './command-run.js'
import { TempFolder } from './store-fixture.js'

const TIMES = { turnMs: 15_000, cancelMs: 3_000, quietMs: 500, commandSeconds: 4 }

// Long, because the checks mostly wait: for commands, and for messages that must not come.
vi.setConfig({ maxConcurrency: 8 })

/** The check that finds each fault of the demo agent. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  nameless: ['initialize'],
  'hollow-list': ['capabilities'],
  'answer-anything': ['unknown-method'],
  'late-update': ['order'],
  'mix-sessions': ['sessions'],
  'drop-second': ['second-prompt'],
  unasked: ['asks-to-write', 'asks-to-execute'],
  'ignore-cancel': ['cancel'],
  'outlive-stdin': ['exit'],
  'leave-child': ['children'],
  forget: ['load', 'resume'],
  junk: ['stdout'],
}

const folder = new TempFolder()
const agents = writeFaultyAgents(folder, {
  honest: {},
  'signed-out': { QUAYSIDE_DEMO_AUTH: '1' },
  protocol: { QUAYSIDE_DEMO_FAULTS: 'protocol' },
  declared: { QUAYSIDE_DEMO_FAULTS: 'unasked' },
  careful: { QUAYSIDE_DEMO_FAULTS: 'unasked-mode' },
  mindless: {},
  modest: { QUAYSIDE_DEMO_CAPS: 'none' },
  'late-loader': { QUAYSIDE_DEMO_REPLAY: 'late' },
  ...Object.fromEntries(
    Object.keys(FAULTS).map((fault) => [fault, { QUAYSIDE_DEMO_FAULTS: fault }]),
  ),
})
folder.write(
  'agents/mindless/manifest.json',
  readFileSync(folder.file('agents/mindless/manifest.json'), 'utf8').replace(
    'stream 40',
    'fail 500 no model today',
  ),
)
const declared = readFileSync(folder.file('agents/declared/manifest.json'), 'utf8')
const unasked = { actions: ['write'], sentence: 'Writes without asking.' }
folder.write(
  'agents/declared/manifest.json',
  JSON.stringify({ ...(JSON.parse(declared) as object), unasked }),
)
const modeField = {
  id: 'mode',
  type: 'select',
  label: 'Mode',
  acp: 'mode',
  default: 'code',
  options: [{ value: 'code', label: 'Ask first' }],
}
folder.write(
  'agents/careful/settings_schema.json',
  JSON.stringify({ version: '1', fields: [modeField] }),
)
const log = pino({ level: 'silent' })
const config = loadConfig(
  {},
  { QUAYSIDE_DATA_DIR: folder.file('data'), QUAYSIDE_EXTENSIONS: agents },
  folder.path,
)
const runtime = new AgentRuntime({ config, hubId: 'check-test', log })
afterAll(async () => {
  await runtime.close()
  folder[Symbol.dispose]()
})

async function check(id: string): Promise<CheckResult[]> {
  const extension = runtime.extensions.require(id)
  const results: CheckResult[] = []
  for await (const result of checkAgent({ runtime, extension, times: TIMES, log }))
    results.push(result)
  return results
}

function idsOf(results: readonly CheckResult[], outcome: string): string[] {
  return results.filter((result) => result.outcome === outcome).map(({ id }) => id)
}

describe.concurrent('checked in parallel', () => {
  test('an agent that behaves passes everything', async ({ expect }) => {
    const results = await check('honest')
    expect(results.map(({ id }) => id)).toEqual(CHECKS.map(({ id }) => id))
    expect(results.filter(({ outcome }) => outcome !== 'pass')).toEqual([])
  })

  test('the agent is started as a session would start it, in the mode of the settings', async ({
    expect,
  }) => {
    const results = await check('careful')
    expect(results.filter(({ outcome }) => outcome !== 'pass')).toEqual([])
  })

  test('an agent that acts unasked is measured against its manifest', async ({ expect }) => {
    const results = await check('declared')
    const evidence = (id: string) => results.find((result) => result.id === id)?.evidence
    expect(idsOf(results, 'fail')).toEqual(['asks-to-write', 'asks-to-execute'])
    expect(evidence('asks-to-write')).toMatch(/without asking.*; its manifest says so$/)
    expect(evidence('asks-to-execute')).toContain('its manifest does not say so in "unasked"')
  })

  test('a capability that is not advertised is skipped, not failed', async ({ expect }) => {
    const results = await check('modest')
    expect(idsOf(results, 'fail')).toEqual([])
    expect(idsOf(results, 'skipped')).toEqual(['capabilities', 'load', 'resume'])
  })

  test('a replay that continues after the response is found', async ({ expect }) => {
    const results = await check('late-loader')
    expect(idsOf(results, 'fail')).toEqual(['load'])
    expect(results.find(({ id }) => id === 'load')?.evidence).toMatch(/came after the answer/)
  })

  test.for(Object.entries(FAULTS))(
    'the fault %s is found by its own check alone',
    async ([fault, found], { expect }) => {
      const results = await check(fault)
      const failed = results.filter(({ outcome }) => outcome === 'fail')
      expect(
        failed.map(({ id }) => id),
        JSON.stringify(failed),
      ).toEqual(found)
      expect(idsOf(results, 'skipped')).toEqual([])
    },
  )
})

describe.concurrent('as a command', () => {
  const env = { QUAYSIDE_DATA_DIR: folder.file('data'), QUAYSIDE_EXTENSIONS: agents }

  test('a run without a failure prints a line for each check and exits with 0', async ({
    expect,
  }) => {
    const { code, output } = await quayside(['agents', 'check', 'modest'], env)
    const lines = output.trim().split('\n')
    expect(lines[0]).toBe('✓ initialize       protocol 1, quayside-demo-agent 0.1.0')
    expect(lines.at(-1)).toBe('12 passed, 0 failed, 3 skipped')
    expect(code).toBe(0)
  })

  test('a failure is exit code 1, and JSON has all of it', async ({ expect }) => {
    const { code, output } = await quayside(['agents', 'check', 'junk', '--json'], env)
    const { failed, checks } = JSON.parse(output) as { failed: number; checks: CheckResult[] }
    expect({ code, failed }).toEqual({ code: 1, failed: 1 })
    expect(checks.at(-1)).toMatchObject({ id: 'stdout', outcome: 'fail' })
    expect(checks.at(-1)?.evidence).toContain('Thinking about it')
  })

  test('an agent that is unknown or not signed in is exit code 5', async ({ expect }) => {
    const { code, output } = await quayside(['agents', 'check', 'signed-out'], env)
    expect({ code, output }).toEqual({
      code: 5,
      output: expect.stringContaining('Sign in to the agent first') as string,
    })
    const unknown = await quayside(['agents', 'check', 'nobody'], env)
    expect(unknown.code).toBe(5)
    expect(unknown.output).toContain('nobody')
  })

  test('an agent that cannot be checked is exit code 2 with the reason', async ({ expect }) => {
    const mindless = await quayside(['agents', 'check', 'mindless'], env)
    expect(mindless.code).toBe(2)
    expect(mindless.output).toContain('cannot answer a simple prompt')
    expect(mindless.output).toContain('no model today')
    const newer = await quayside(['agents', 'check', 'protocol'], env)
    expect(newer.code).toBe(2)
    expect(newer.output).toContain('speaks version 2 of the Agent Client Protocol')
  })
})

test('every check has a fault that it finds', () => {
  // The shape of session/new has its own unit tests.
  const found = [...Object.values(FAULTS).flat(), 'new-session']
  expect(new Set(found)).toEqual(new Set(CHECKS.map(({ id }) => id)))
})
