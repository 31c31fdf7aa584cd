// The agent and its process: starting, prompting, ending, failing.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message, SessionList } from '@quayside/protocol'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openHubId } from '../src/process/process-tag.js'
import { ExtensionsFolder, manifest } from './extensions-folder.js'
import { tagged } from './orphans-fixture.js'
import { EXTENSIONS, startTestHub, type TestHub } from './test-hub.js'

/** Asks for a permission and writes nothing after the answer. */
const ASKS_AND_IS_SILENT = `
  const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const toolCall = { toolCallId: 'c', title: 'Go on' }
  const options = [{ optionId: 'go', name: 'Go', kind: 'allow_once' }]
  const answers = {
    initialize: { protocolVersion: 1, agentCapabilities: {} },
    'session/new': { sessionId: 's' },
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (answers[method]) send({ id, result: answers[method] })
    const params = { sessionId: 's', toolCall, options }
    if (method === 'session/prompt') send({ id: 0, method: 'session/request_permission', params })
  })`

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({
    sharesAgent: true,
    env: { AGENT_MAX_SESSIONS: '100', QUAYSIDE_EXTENSIONS: EXTENSIONS, AGENT_CANCEL_GRACE: '0.5' },
  })
})
afterAll(() => hub[Symbol.asyncDispose]())

async function createWith(extensionId: string): Promise<Response> {
  const { id: repoId } = await hub.firstRepo()
  return hub.post('/api/sessions', { repoId, extensionId })
}

async function countSessions(): Promise<number> {
  return (await hub.get<SessionList>('/api/sessions?limit=1')).total
}

describe('starting an agent', () => {
  test('Handle Gemini CLI not found: the path tried is named, and no session row stays', async () => {
    const before = await countSessions()
    const response = await createWith('missing')
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      error: {
        code: 'agent_not_installed',
        message: expect.stringContaining('npm install -g no-such-agent') as string,
        details: { path: 'no-such-agent-anywhere', pathEnv: 'NO_SUCH_AGENT_PATH' },
      },
    })
    expect(await countSessions()).toBe(before)
  })

  test('an agent that dies at its start is reported with the reason, and nothing stays', async () => {
    const before = await countSessions()
    const response = await createWith('dying')
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({
      error: {
        code: 'agent_failed',
        message: 'The agent ended with exit code 3. Its last output: no licence found',
      },
    })
    expect(await countSessions()).toBe(before)
  })

  test('an agent that never answers fails after a timeout: it gets $/cancel_request, and no process stays', async () => {
    // Enough for a busy machine to start an agent.
    await using impatient = await startTestHub({
      env: { AGENT_START_TIMEOUT: '4', QUAYSIDE_EXTENSIONS: EXTENSIONS },
    })
    const { id: repoId, path } = await impatient.firstRepo()
    const response = await impatient.post('/api/sessions', { repoId, extensionId: 'mute' })
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({
      error: { code: 'agent_timeout', details: { method: 'initialize' } },
    })
    expect((await impatient.get<SessionList>('/api/sessions')).total).toBe(0)
    expect(tagged(openHubId(join(impatient.folder, 'data')))).toEqual([])
    const received = readFileSync(join(path, 'heard.jsonl'), 'utf8').trim().split('\n')
    const [asked, cancelled] = received.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(asked).toMatchObject({ method: 'initialize' })
    expect(cancelled).toMatchObject({
      method: '$/cancel_request',
      params: { requestId: asked!['id'] },
    })
    expect(received).toHaveLength(2)
  })

  test('updates before the answer to session/new are not lost', async () => {
    const session = await hub.createSession('early')
    await session.run('echo hi')
    const types = session.feed.types()
    expect(types.indexOf('acp.update')).toBeGreaterThan(types.indexOf('agent.started'))
  })

  test('the environment of an agent is an allow-list', async () => {
    vi.stubEnv('QUAYSIDE_TEST_CANARY', 'secret')
    onTestFinished(() => void vi.unstubAllEnvs())
    const session = await hub.createSession()
    await session.run('env')
    const names = session.feed.text().split('\n')
    expect(names).toContain('PATH')
    expect(names).not.toContain('QUAYSIDE_TEST_CANARY')
    expect(names).not.toContain('QUAYSIDE_TOKEN')
  })

  test('Pass workspace to agent: it works in the repository', async () => {
    const session = await hub.createSession()
    await session.run('cwd')
    expect(session.feed.text()).toContain((await hub.firstRepo()).path)
  })
})

describe('prompts', () => {
  test.each(['max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'something_new'])(
    'the stop reason %s is kept',
    async (reason) => {
      const session = await hub.createSession()
      const { data } = await session.run(`stop ${reason}`)
      expect(data.stopReason).toBe(reason)
      expect((await session.summaryNow()).status).toBe('active')
    },
  )

  test('a prompt error keeps the agent’s code, and the session continues', async () => {
    const session = await hub.createSession()
    const { data } = await session.run('fail 429 Too many requests')
    expect(data.error).toMatchObject({
      code: 'agent_failed',
      message: 'The agent answered: Too many requests (the demo agent was told to fail)',
      details: { acp: { code: 429 } },
    })
    expect((await session.run('echo still here')).data.stopReason).toBe('end_turn')
  })

  test('an answer with neither a result nor an error ends the turn', async () => {
    const session = await hub.createSession()
    const { data } = await session.run('hollow')
    expect(data.error).toMatchObject({
      code: 'agent_failed',
      message: 'The agent answered: a response with neither a result nor an error',
    })
    expect((await session.run('echo still here')).data.stopReason).toBe('end_turn')
  })

  test('a missing sign-in during a prompt is reported', async () => {
    const session = await hub.createSession()
    const { data } = await session.run('auth')
    expect(data.error).toMatchObject({
      code: 'agent_auth_required',
      details: { acp: { code: -32000 } },
    })
  })

  test('a turn without any output is marked as empty', async () => {
    const session = await hub.createSession()
    await session.run('nothing')
    const messages = await hub.get<Message[]>(`${session.path}/messages`)
    expect(messages.at(-1)).toMatchObject({
      role: 'system',
      content: { type: 'status', text: 'The turn ended without an answer.' },
    })
  })

  test('Handle agent timeout: silence in a turn is noted, and the session stays active', async () => {
    await using impatient = await startTestHub({ env: { AGENT_PROMPT_SILENCE: '0.2' } })
    const session = await impatient.createSession()
    await session.prompt('slow 60')
    const notice = await session.feed.until('notice')
    expect(notice.data).toMatchObject({ severity: 'warning', code: 'agent_silent' })
    expect(await session.summaryNow()).toMatchObject({ status: 'active', activity: 'working' })
    const messages = await impatient.get<Message[]>(`${session.path}/messages`)
    expect(messages.at(-1)).toMatchObject({ role: 'system', content: { type: 'status' } })
    const murmuring = await impatient.createSession()
    await murmuring.prompt('murmur')
    expect((await murmuring.feed.until('notice')).data.code).toBe('agent_silent')
  })

  test('the time a person takes to decide is not silence of the agent', async () => {
    using extensions = new ExtensionsFolder().register('asks')
    const agent = { command: '${NODE}', args: ['-e', ASKS_AND_IS_SILENT] }
    extensions.write('asks/manifest.json', manifest('asks', { agent }))
    const env = { AGENT_PROMPT_SILENCE: '0.5', QUAYSIDE_EXTENSIONS: extensions.path }
    await using impatient = await startTestHub({ env })
    const session = await impatient.createSession('asks')
    const other = await impatient.createSession()
    await session.prompt('go')
    const asked = await session.feed.until('permission.requested')
    // The question is open for as long as this agent is silent.
    await other.prompt('slow 60')
    await other.feed.until('notice')
    await session.answer(asked.data.permissionId, 'go')
    await session.feed.until('notice')
    const types = session.feed.types().slice(session.feed.events.indexOf(asked))
    expect(types.filter((type) => /^(permission|notice)/.test(type))).toEqual([
      'permission.requested',
      'permission.resolved',
      'notice',
    ])
  })

  test('two prompts one after the other do not share tool calls', async () => {
    const session = await hub.createSession()
    await session.run('reuse')
    await session.run('reuse')
    const messages = await hub.get<Message[]>(`${session.path}/messages`)
    const tools = messages.filter(({ content }) => content.type === 'tool')
    expect(tools).toHaveLength(2)
    expect(tools.map(({ content }) => 'status' in content && content.status)).toEqual([
      'completed',
      'completed',
    ])
  })
})

describe('cancelling', () => {
  test('a cancel that the agent answers stops the turn only', async () => {
    const session = await hub.createSession()
    await session.prompt('drip 100000 5')
    await session.feed.until('acp.update')
    await hub.post(`${session.path}/cancel`, {})
    expect((await session.feed.until('turn.ended')).data.stopReason).toBe('cancelled')
    expect((await session.run('echo next')).data.stopReason).toBe('end_turn')
  })

  test.each(['hang', 'stubborn'])(
    'a cancel always ends: an agent that does not answer (%s) is replaced, and the session stays active',
    async (word) => {
      const session = await hub.createSession('demo-alone')
      await session.run('echo remember me')
      const { pid } = (await session.feed.until('agent.started')).data
      const viewer = await hub.follow(session.id)
      await session.prompt(word)
      await session.feed.until(
        'turn.started',
        ({ turnId }) =>
          turnId !== session.feed.events.find((e) => e.type === 'turn.started')?.data.turnId,
      )
      const answer = await hub.post(`${session.path}/cancel`, {})
      expect(await answer.json()).toMatchObject({ status: 'active', activity: 'idle' })
      expect(isRunning(pid!)).toBe(false)
      await session.run('recall')
      expect(session.feed.text()).toContain('remember me')
      const restarted = session.feed.events.filter(({ type }) => type === 'agent.started')
      expect(restarted).toHaveLength(2)
      expect(restarted[1]!.data).toMatchObject({ how: 'resume' })
      // A restart does not interrupt followers: the same socket continues without a gap.
      await viewer.untilSeq(session.feed.events.length)
      expect(viewer.events).toEqual(session.feed.events)
    },
  )
})

describe('ending', () => {
  test('a child that left its group and its session ends with its agent', async () => {
    const session = await hub.createSession('demo-alone')
    await session.run('orphan')
    const pid = Number(/orphan (\d+)/.exec(session.feed.text())![1])
    expect(isRunning(pid)).toBe(true)
    await hub.fetch(session.path, { method: 'DELETE' })
    expect(isRunning(pid)).toBe(false)
  })

  test('Handle agent process crash: error, stderr kept, and what it left behind goes along', async () => {
    const session = await hub.createSession('demo-alone')
    await session.run('orphan')
    const pid = Number(/orphan (\d+)/.exec(session.feed.text())![1])
    await session.prompt('crash')
    const ended = await session.feed.until('session.ended')
    expect(ended.data).toMatchObject({ status: 'error', reason: 'agent_exited' })
    expect(isRunning(pid)).toBe(false)
    const messages = await hub.get<Message[]>(`${session.path}/messages`)
    expect(JSON.stringify(messages)).toContain('exit code 7')
  })

  test('Handle stdio pipe broken: the session is in error and the agent is ended', async () => {
    const session = await hub.createSession('demo-alone')
    const { pid } = (await session.feed.until('agent.started')).data
    await session.run('deaf')
    const { turnId } = await session.prompt('echo into the void')
    await session.feed.until('turn.started', (data) => data.turnId === turnId)
    // A prompt that was written before the agent closed its stdin is lost; the next write fails with a broken pipe.
    await hub.post(`${session.path}/cancel`, {})
    const ended = await session.feed.until('session.ended')
    expect(ended.data).toMatchObject({ status: 'error', reason: 'pipe_broken' })
    expect(ended.data.message).toContain('The pipe to the agent broke, so the hub ended the agent.')
    expect(isRunning(pid!)).toBe(false)
    expect(await session.summaryNow()).toMatchObject({ metadata: { reason: 'pipe_broken' } })
    const messages = await hub.get<Message[]>(`${session.path}/messages`)
    expect(JSON.stringify(messages)).not.toContain('SIGKILL.')
    const broken = hub.log.find('the pipe to the agent broke').at(-1)
    expect(broken).toMatchObject({ sessionId: session.id, err: { code: 'EPIPE' } })
  })

  test('Allow session creation after cleanup: an agent that exits frees its slot', async () => {
    await using small = await startTestHub({ env: { AGENT_MAX_SESSIONS: '1' } })
    const session = await small.createSession()
    const { id: repoId } = await small.firstRepo()
    expect((await small.post('/api/sessions', { repoId })).status).toBe(429)
    await session.prompt('crash')
    await session.feed.until('session.ended')
    const next = await small.post('/api/sessions', { repoId })
    expect(next.status).toBe(201)
  })
})

/** A zombie counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
