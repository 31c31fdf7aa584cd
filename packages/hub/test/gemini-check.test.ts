// The real Gemini CLI under the probe and `agents check`, with a fake model. Its known faults are found, and no others.
import type { Probe } from '@quayside/protocol/schemas'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AgentRuntime } from '../src/agents/agent-runtime.js'
import { checkAgent } from '../src/agents/check/check-agent.js'
import type { CheckResult } from '../src/agents/check/check.js'
import { CHECK_TIMES } from '../src/agents/check/check-run.js'
import { probeAgent } from '../src/agents/probe/probe.js'
import { loadConfig } from '../src/config/config.js'
import { GeminiHome } from './gemini-home.js'
import { ModelServer } from './model-server.js'
import { obey } from './obedient-model.js'
import { TempFolder } from './store-fixture.js'

const INSTALL_TIMEOUT_MS = 300_000
const CHECK_TIMEOUT_MS = 180_000

let home: GeminiHome
let model: ModelServer
let folder: TempFolder
let runtime: AgentRuntime
const log = pino({ level: 'silent' })

beforeAll(async () => {
  home = new GeminiHome()
  model = await ModelServer.start()
  model.answerBy(obey)
  await home.enter(model.url)
  folder = new TempFolder()
  const config = loadConfig({}, { QUAYSIDE_DATA_DIR: folder.path }, folder.path)
  runtime = new AgentRuntime({ config, hubId: 'gemini-check-test', log })
}, INSTALL_TIMEOUT_MS)

afterAll(async () => {
  await runtime.close()
  await model[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
  home[Symbol.dispose]()
})

test('the probe finds it ready, with its version, modes, models and ways to sign in', async () => {
  const probe = await probeGemini()
  expect(probe).toMatchObject({
    state: 'ready',
    version: '0.61.0',
    protocolVersion: 1,
    problems: [],
    modes: { currentModeId: 'default' },
    models: { currentModelId: 'gemini-2.5-flash' },
  })
  expect(probe.abilities).toContain('takes sound')
  expect(probe.signInMethods.map(({ id }) => id)).toContain('oauth-personal')
})

test(
  'the check finds that it cannot load a session of the same minute, and nothing else',
  { timeout: CHECK_TIMEOUT_MS },
  async () => {
    const extension = runtime.extensions.require('gemini')
    const results: CheckResult[] = []
    for await (const result of checkAgent({ runtime, extension, times: CHECK_TIMES, log }))
      results.push(result)

    const failed = results.filter(({ outcome }) => outcome === 'fail')
    expect(
      failed.map(({ id }) => id),
      JSON.stringify(failed),
    ).toEqual(['load'])
    // 0.61 destroys a session that is loaded in the minute in which it began; later its replay follows the response.
    expect(failed[0]?.evidence).toMatch(
      /Invalid session|No previous sessions|came after the answer/,
    )
    const skipped = results.filter(({ outcome }) => outcome === 'skipped').map(({ id }) => id)
    expect(skipped).toEqual(['capabilities', 'resume'])
    expect(results.find(({ id }) => id === 'second-prompt')?.evidence).toBe(
      'first: cancelled, second: end_turn',
    )
    expect(home.processes()).toEqual(new Map())
  },
)

test('without a key the probe reports that a sign-in is needed', async () => {
  delete process.env['GEMINI_API_KEY']
  delete process.env['GOOGLE_GEMINI_BASE_URL']
  const probe = await probeGemini()
  expect(probe).toMatchObject({ state: 'needs_sign_in', version: '0.61.0' })
  expect(probe.problem).toContain('API key is missing')
})

function probeGemini(): Promise<Probe> {
  return probeAgent(runtime, runtime.extensions.require('gemini'))
}
