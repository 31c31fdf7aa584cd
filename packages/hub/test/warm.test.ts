// Warm processes, sessions that start late, and the list of running processes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Extension, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  eventually,
  FAILING,
  findExtension,
  isRunning,
  listProcesses,
  POOLED,
  waitingProcess,
} from './pool-fixture.js'
import { startTestHub, type TestHub } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ env: { QUAYSIDE_EXTENSIONS: POOLED, AGENT_MAX_SESSIONS: '50' } })
})
afterAll(() => hub[Symbol.asyncDispose]())

describe('a warm process', () => {
  test('becomes the process of the next session, and another one takes its place', async () => {
    const warm = await waitingProcess(hub, 'warm')
    const session = await hub.createSession('warm')
    expect((await session.feed.until('agent.started')).data.pid).toBe(warm.pid)
    const next = await waitingProcess(hub, 'warm')
    expect(next.pid).not.toBe(warm.pid)
    const extension = await findExtension(hub, 'warm')
    expect(extension.warm).toMatchObject({ wanted: 1, ready: 1 })
  })

  test('works in the repository of the session it was given', async () => {
    await waitingProcess(hub, 'warm')
    const session = await hub.createSession('warm')
    await session.run('cwd')
    expect(session.feed.text()).toContain((await hub.firstRepo()).path)
  })

  test('is left alone by a session that would be launched in another way', async () => {
    const warm = await waitingProcess(hub, 'placed')
    const session = await hub.createSession('placed')
    expect((await session.feed.until('agent.started')).data.pid).not.toBe(warm.pid)
    expect((await waitingProcess(hub, 'placed')).pid).toBe(warm.pid)
  })

  test('that dies while it waits is replaced', async () => {
    const warm = await waitingProcess(hub, 'warm')
    process.kill(warm.pid, 'SIGKILL')
    await eventually(async () => expect((await waitingProcess(hub, 'warm')).pid).not.toBe(warm.pid))
  })

  test('is no session: the limit does not count it, and it ends with the hub', async () => {
    const pids = await (async () => {
      await using small = await startTestHub({
        env: { QUAYSIDE_EXTENSIONS: POOLED, AGENT_MAX_SESSIONS: '1' },
      })
      await waitingProcess(small, 'warm')
      await small.createSession('warm')
      const { pid } = await waitingProcess(small, 'warm')
      const shared = await waitingProcess(small, 'shared')
      const { id: repoId } = await small.firstRepo()
      const refused = await small.post('/api/sessions', { repoId, extensionId: 'warm' })
      expect(refused.status).toBe(429)
      return [pid, shared.pid]
    })()
    expect(pids.filter(isRunning)).toEqual([])
  })
})

describe('an agent that cannot be made ready', () => {
  let troubled: TestHub
  let diaryFile: string
  beforeAll(async () => {
    diaryFile = join(hub.folder, 'diary')
    vi.stubEnv('DIARY', diaryFile)
    troubled = await startTestHub({
      env: { QUAYSIDE_EXTENSIONS: FAILING, AGENT_START_TIMEOUT: '3' },
    })
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await troubled[Symbol.asyncDispose]()
  })

  test('is retried, with the reason shown, and blocks nothing', async () => {
    const state = await eventually(async () => {
      const { warm } = await findExtension(troubled, 'dying')
      expect(warm?.problem).toContain('no licence found')
      return warm
    })
    expect(state).toMatchObject({ wanted: 1, ready: 0 })
    const diary = (): string[] => readFileSync(diaryFile, 'utf8').trim().split('\n')
    await eventually(() => expect(diary().length).toBeGreaterThan(1))
    // The hub responds meanwhile.
    await troubled.createSession('demo')
  })

  test('and never answers is given up after a while, without a process left', async () => {
    await eventually(async () => {
      const { warm } = await findExtension(troubled, 'mute')
      expect(warm?.problem).toContain('did not answer initialize within')
    })
    await troubled.createSession('demo')
  })

  test('because it is missing is not tried again and again, and there is a cap on them all', async () => {
    const { warm } = await findExtension(troubled, 'missing')
    expect(warm).toMatchObject({ ready: 0, starting: 0 })
    expect(warm?.problem).toContain('not on the PATH')
    const { extensions } = await troubled.get<{ extensions: Extension[] }>('/api/extensions')
    expect(extensions.reduce((sum, { warm }) => sum + (warm?.wanted ?? 0), 0)).toBe(8)
  })
})

describe('eagerSessionInit: false', () => {
  test('moves the start of the agent to the first prompt', async () => {
    const session = await hub.createSession('lazy')
    expect(await session.summaryNow()).toMatchObject({ status: 'active', activity: 'idle' })
    expect(await listProcesses(hub, 'lazy')).toEqual([])
    expect((await session.run('echo hello')).data.stopReason).toBe('end_turn')
    expect(session.feed.types()).toContain('agent.started')
    await hub.fetch(session.path, { method: 'DELETE' })
    expect(await listProcesses(hub, 'lazy')).toEqual([])
  })

  test('saved settings start the agent before the first prompt', async () => {
    const session = await hub.createSession('lazy')
    const answer = await hub.fetch(session.path, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ settings: { permissions: { mode: 'auto' } } }),
    })
    expect(answer.status).toBe(200)
    await session.feed.until('agent.started')
  })

  test('a session without a prompt ends without an agent', async () => {
    const session = await hub.createSession('lazy')
    const answer = await hub.post(`${session.path}/complete`, {})
    expect(await answer.json()).toMatchObject({ status: 'completed' })
    expect(session.feed.types()).not.toContain('agent.exited')
  })

  test('a missing agent is reported when the session is created', async () => {
    const { id: repoId } = await hub.firstRepo()
    const answer = await hub.post('/api/sessions', { repoId, extensionId: 'lazy-missing' })
    expect(answer.status).toBe(422)
  })
})

describe('the list of processes', () => {
  test('lists processes with their session and memory', async () => {
    const session = await hub.createSession('warm')
    const running = await listProcesses(hub, 'warm')
    expect(running.find(({ sessionIds }) => sessionIds.includes(session.id))).toMatchObject({
      kind: 'agent',
      name: 'Demo agent that waits',
      processes: 1,
      rssBytes: expect.any(Number) as number,
      labels: { app: 'demo', data: join(hub.folder, 'data') },
    })
  })

  test('a stop ends the process, and its session is cancelled by the one who did it', async () => {
    const session = await hub.createSession('warm')
    const { pid } = (await session.feed.until('agent.started')).data
    const answer = await hub.post(`/api/processes/${pid}/stop`, {})
    expect(answer.status).toBe(200)
    expect(isRunning(pid!)).toBe(false)
    const { status, metadata }: SessionSummary = await session.summaryNow()
    expect({ status, metadata }).toMatchObject({
      status: 'cancelled',
      metadata: { reason: 'user_request' },
    })
  })

  test('only the hub’s own processes can be stopped', async () => {
    const answer = await hub.post(`/api/processes/${process.ppid}/stop`, {})
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'process_not_found' } })
    expect(isRunning(process.ppid)).toBe(true)
  })
})

describe('settings and warm processes', () => {
  test('hub-wide settings replace those that wait; a session’s own settings start cold', async () => {
    const warm = await waitingProcess(hub, 'tuned')
    const put = await hub.fetch('/api/extensions/tuned/settings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ settings: { tone: 'calm' } }),
    })
    expect(put.status).toBe(200)
    const next = await eventually(async () => {
      const found = await waitingProcess(hub, 'tuned')
      expect(found.pid).not.toBe(warm.pid)
      return found
    })
    const { id: repoId } = await hub.firstRepo()
    const create = async (settings: object): Promise<number> => {
      const answer = await hub.post('/api/sessions', { repoId, extensionId: 'tuned', settings })
      const { id } = (await answer.json()) as SessionSummary
      return (await (await hub.follow(id)).until('agent.started')).data.pid!
    }
    expect(await create({ tone: 'loud' })).not.toBe(next.pid)
    expect(await create({})).toBe(next.pid)
  })

  test('a mode and a model of the settings are set before the first prompt', async () => {
    const { id: repoId } = await hub.firstRepo()
    const settings = { mode: 'code', model: 'script-large' }
    const answer = await hub.post('/api/sessions', { repoId, extensionId: 'demo', settings })
    const { id } = (await answer.json()) as SessionSummary
    const feed = await hub.follow(id)
    await hub.post(`/api/sessions/${id}/prompt`, { text: 'echo hi' })
    await feed.until('turn.ended')
    const set = feed.events.filter(({ type }) => type === 'option.set')
    expect(set.map(({ data }) => data)).toMatchObject([
      { optionId: 'mode', value: 'code', by: 'settings' },
      { optionId: 'model', value: 'script-large', by: 'settings' },
    ])
    expect(feed.types().indexOf('option.set')).toBeLessThan(feed.types().indexOf('turn.started'))
  })

  test('a choice that the agent does not know is reported, and the session works', async () => {
    const { id: repoId } = await hub.firstRepo()
    const answer = await hub.post('/api/sessions', {
      repoId,
      extensionId: 'tuned',
      settings: { model: 'no-such-model' },
    })
    const { id } = (await answer.json()) as SessionSummary
    const feed = await hub.follow(id)
    const notice = await feed.until('notice')
    expect(notice.data).toMatchObject({ severity: 'warning', code: 'option_refused' })
    await hub.post(`/api/sessions/${id}/prompt`, { text: 'echo hi' })
    expect((await feed.until('turn.ended')).data.stopReason).toBe('end_turn')
  })
})
