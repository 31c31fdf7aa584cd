// The resume ladder: an ended session comes back with the same id and log, and reports what the agent remembers.
import type { EventOf, Message, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExtensionsFolder, manifest } from './extensions-folder.js'
import { EXTENSIONS, startTestHub, type TestHub, type TestSession } from './test-hub.js'

/** One with a running turn and one without; more in `npm run test:torture`. */
const ROUNDS = 'QUAYSIDE_TORTURE_ROUNDS' in process.env ? 10 : 2

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ env: { AGENT_MAX_SESSIONS: '50', QUAYSIDE_EXTENSIONS: EXTENSIONS } })
})
afterAll(() => hub[Symbol.asyncDispose]())

async function endAndResume(session: TestSession): Promise<SessionSummary> {
  await hub.fetch(session.path, { method: 'DELETE' })
  await session.feed.until('session.ended')
  return (await hub.post(`${session.path}/resume`, {})).json() as Promise<SessionSummary>
}

function starts({ feed }: TestSession): EventOf<'agent.started'>[] {
  return feed.events.filter((event) => event.type === 'agent.started')
}

test.each([
  ['demo', 'resume'],
  ['loader', 'load'],
  ['late-loader', 'load'],
])(
  '%s comes back by %s, remembers, and nothing of its replay is stored twice',
  async (extension, how) => {
    const session = await hub.createSession(extension)
    await session.run('echo the word is quayside')
    const before = await hub.get<Message[]>(`${session.path}/messages`)

    expect(await endAndResume(session)).toMatchObject({ id: session.id, status: 'active' })
    await session.feed.until('session.resumed')
    const { turnId } = await session.prompt('recall')
    await session.feed.until('turn.ended', (data) => data.turnId === turnId)

    expect(starts(session).map(({ data }) => data.how)).toEqual(['new', how])
    const messages = await hub.get<Message[]>(`${session.path}/messages`)
    const texts = messages.filter(({ content }) => content.type === 'text')
    expect(texts.slice(0, 2)).toEqual(before)
    expect(texts).toHaveLength(4)
    expect(JSON.stringify(texts[3])).toContain('the word is quayside')
  },
)

test('an agent that has forgotten gets the conversation, and people see that it forgot', async () => {
  const session = await hub.createSession('forgetful')
  await session.run('echo the word is quayside')
  await endAndResume(session)
  const { turnId } = await session.prompt('What was the word?')
  await session.feed.until('permission.requested', (data) => data.turnId === turnId)
  await hub.post(`${session.path}/cancel`, {})

  expect(starts(session).map(({ data }) => data.how)).toEqual(['new', 'primer'])
  const { frames } = await hub.get<{ frames: { frame: { method?: string } }[] }>(
    '/api/extensions/debug/raw?limit=200',
  )
  const prompt = JSON.stringify(frames.findLast(({ frame }) => frame.method === 'session/prompt'))
  expect(prompt).toContain('User: echo the word is quayside')
  expect(prompt).toContain('You: the word is quayside')
  const messages = await hub.get<Message[]>(`${session.path}/messages`)
  expect(JSON.stringify(messages)).toContain('has no memory of the session')
  expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    { type: 'text', text: 'echo the word is quayside' },
    { type: 'text', text: 'What was the word?' },
  ])
})

test('an agent that has forgotten gets the turns that ran, in their order, and the current prompt once', async () => {
  const session = await hub.createSession('forgetful')
  await session.prompt('slow 60')
  const withdrawn = (await session.prompt('echo WITHDRAWN')).turnId
  await session.prompt('echo second')
  await hub.fetch(`${session.path}/queue/${withdrawn}`, { method: 'DELETE' })
  await hub.post(`${session.path}/cancel`, {})
  await session.feed.until('turn.ended', ({ stopReason }) => stopReason === 'end_turn')
  await endAndResume(session)
  const { turnId } = await session.prompt('echo current')
  await session.feed.until('permission.requested', (data) => data.turnId === turnId)
  await hub.post(`${session.path}/cancel`, {})

  const { frames } = await hub.get<{ frames: { frame: { method?: string; params?: object } }[] }>(
    '/api/extensions/debug/raw?limit=200',
  )
  const sent = frames.findLast(({ frame }) => frame.method === 'session/prompt')
  const prompt = JSON.stringify(sent)
  const said = prompt.match(/(User|You): [\w ]+/g)
  expect(said).toEqual(['User: slow 60', 'User: echo second', 'You: second'])
  expect(prompt.match(/echo current/g)).toHaveLength(1)
})

test('resuming an active session changes nothing, an unknown one is 404', async () => {
  const session = await hub.createSession()
  await session.run('echo ready')
  const { lastSeq } = await session.summaryNow()
  const response = await hub.post(`${session.path}/resume`, {})
  expect(response.status).toBe(200)
  expect(((await response.json()) as SessionSummary).lastSeq).toBe(lastSeq)
  expect((await hub.post('/api/sessions/nope/resume', {})).status).toBe(404)
})

test('ten resumes at once are one', async () => {
  const session = await hub.createSession()
  await hub.fetch(session.path, { method: 'DELETE' })
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => hub.post(`${session.path}/resume`, {})),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  await session.feed.until('session.resumed')
  expect(session.feed.types().filter((type) => type === 'session.resumed')).toHaveLength(1)
  await session.run('echo back')
})

test.each([
  ['deleted', 'session/delete', 'cancelled'],
  ['completed', 'session/complete', 'completed'],
])(
  'a session resumed while it is being %s ends and then really comes back',
  async (_, end, as) => {
    const session = await hub.createSession()
    const { id: sessionId, feed } = session
    for (let round = 1; round <= ROUNDS; round += 1) {
      if (round % 2 === 0) await session.prompt('slow 60')
      // One socket, so that the hub receives them in this order, the second before the first is done.
      const [ended, resumed] = await Promise.all([
        feed.call(end, { sessionId }),
        feed.call('session/resume', { sessionId }),
      ])
      expect(ended.error).toBeUndefined()
      expect(resumed.result).toMatchObject({ status: 'active' })
      await session.run(`echo round ${round}`)
      const lives = feed.events.filter(({ type }) => type.startsWith('session.')).slice(2)
      expect(lives.map(({ type }) => type)).toEqual(
        Array.from({ length: round }, () => ['session.ended', 'session.resumed']).flat(),
      )
      expect(lives.at(-2)?.data).toMatchObject({ status: as })
    }
  },
  240_000,
)

test('a session resumed while its agent is crashing really comes back, over REST', async () => {
  const session = await hub.createSession()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { turnId } = await session.prompt('crash')
    // The turn has ended, the session has not ended yet.
    await session.feed.until('turn.ended', (data) => data.turnId === turnId)
    const resumed = (await (await hub.post(`${session.path}/resume`, {})).json()) as SessionSummary
    expect(resumed.status).toBe('active')
    await session.run(`echo round ${round}`)
  }
}, 240_000)

test('a session deleted while it comes back is deleted', async () => {
  const session = await hub.createSession()
  const { id: sessionId, feed } = session
  for (let round = 1; round <= ROUNDS; round += 1) {
    await feed.call('session/delete', { sessionId })
    const [resumed, ended] = await Promise.all([
      feed.call('session/resume', { sessionId }),
      feed.call('session/delete', { sessionId }),
    ])
    expect(resumed.error).toBeUndefined()
    expect(ended.error).toBeUndefined()
    expect(await session.summaryNow()).toMatchObject({ status: 'cancelled' })
    await feed.call('session/resume', { sessionId })
    await session.run(`echo round ${round}`)
  }
}, 240_000)

/** Does not answer the first `session/load`; a file remembers that. */
const SLOW_ONCE = `
  const { existsSync, writeFileSync } = require('node:fs')
  const answers = {
    initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
    'session/new': { sessionId: 's' },
    'session/load': {},
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const isSlow = method === 'session/load' && !existsSync(process.argv[1])
    if (isSlow) writeFileSync(process.argv[1], '')
    else if (answers[method])
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }))
  })`

test('a resume that times out can be retried, and the agent keeps its memory', async () => {
  using folder = new ExtensionsFolder()
  const agent = { command: '${NODE}', args: ['-e', SLOW_ONCE, '${DATA_DIR}/slow-once'] }
  folder.register('slow').write('slow/manifest.json', manifest('slow', { agent }))
  await using impatient = await startTestHub({
    env: { AGENT_START_TIMEOUT: '4', QUAYSIDE_EXTENSIONS: folder.path },
  })
  const session = await impatient.createSession('slow')
  await impatient.post(`${session.path}/complete`, {})
  const late = await impatient.post(`${session.path}/resume`, {})
  expect(late.status).toBe(504)
  expect(await late.json()).toMatchObject({
    error: { message: expect.stringContaining('session/load within 4 s. Try again') as string },
  })
  expect((await impatient.post(`${session.path}/resume`, {})).status).toBe(200)
  await session.feed.until('session.resumed')
  expect(starts(session).map(({ data }) => data.how)).toEqual(['new', 'load'])
})

test('a session whose end takes too long reports so, and can be resumed when it has ended', async () => {
  await using patient = await startTestHub({
    env: { AGENT_CANCEL_GRACE: '600', AGENT_START_TIMEOUT: '10' },
  })
  const session = await patient.createSession()
  const { turnId } = await session.prompt('hang')
  await session.feed.until('turn.started', (data) => data.turnId === turnId)
  const ended = patient.fetch(session.path, { method: 'DELETE' })
  const late = await patient.post(`${session.path}/resume`, {})
  expect(late.status).toBe(409)
  expect(await late.json()).toMatchObject({ error: { code: 'session_ending' } })

  process.kill((await session.feed.until('agent.started')).data.pid!, 'SIGKILL')
  expect(((await (await ended).json()) as SessionSummary).status).toBe('cancelled')
  expect((await patient.post(`${session.path}/resume`, {})).status).toBe(200)
})
