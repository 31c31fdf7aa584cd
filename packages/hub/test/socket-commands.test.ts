// Every command of the WebSocket has the same result and the same errors as its REST route.
import type { SessionEvent, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
})
afterAll(() => hub[Symbol.asyncDispose]())

type Answer = { readonly result?: unknown; readonly error?: unknown }
type Way = (method: string, sessionId: string, params?: Record<string, unknown>) => Promise<Answer>

/** The REST route of each command. `queue/…` and `option/…` have their second id in the path. */
const REST: Record<string, { readonly verb: string; readonly path: string }> = {
  'session/complete': { verb: 'POST', path: '/complete' },
  'session/resume': { verb: 'POST', path: '/resume' },
  'session/delete': { verb: 'DELETE', path: '?purge=:purge' },
  'session/change': { verb: 'PATCH', path: '' },
  'session/queue': { verb: 'GET', path: '/queue' },
  'queue/edit': { verb: 'PATCH', path: '/queue/:turnId' },
  'queue/remove': { verb: 'DELETE', path: '/queue/:turnId' },
  'queue/clear': { verb: 'DELETE', path: '/queue' },
  'option/set': { verb: 'PUT', path: '/options/:optionId' },
}

const overRest: Way = async (method, sessionId, params = {}) => {
  const { verb, path } = REST[method]!
  const body = { purge: false, ...params } as Record<string, unknown>
  const filled = path.replace(/:(\w+)/, (_, name: string) => {
    const value = String(body[name])
    delete body[name]
    return value
  })
  const isSent = ['PATCH', 'PUT'].includes(verb)
  if (isSent) delete body['purge']
  const response = await hub.fetch(`/api/sessions/${sessionId}${filled}`, {
    method: verb,
    ...(isSent && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const answer = (await response.json()) as { error?: unknown }
  return response.ok ? { result: answer } : { error: answer.error }
}

function overSocket({ feed }: TestSession): Way {
  return async (method, sessionId, params = {}) => {
    const { result, error } = await feed.call(method, { sessionId, ...params })
    if (error === undefined) return { result }
    return { error: { message: error.message, ...error.data } }
  }
}

/** Runs every command on one session and returns their results. */
async function live({ id, feed }: TestSession, command: Way): Promise<Answer[]> {
  const answers: Answer[] = []
  const run = async (method: string, params?: Record<string, unknown>): Promise<void> => {
    answers.push(await command(method, id, params))
  }
  await run('session/change', { title: 'Renamed', pinned: true, archived: true })
  await run('option/set', { optionId: 'mode', value: 'code' })
  for (const turnId of ['running', 'a', 'b', 'c']) {
    await hub.post(`/api/sessions/${id}/prompt`, { text: 'slow 60', id: turnId })
    await feed.until('turn.started')
  }
  await run('session/queue')
  await run('queue/edit', { turnId: 'a', text: 'echo a' })
  await run('queue/edit', { turnId: 'c', before: 'a' })
  await run('queue/remove', { turnId: 'a' })
  await run('queue/edit', { turnId: 'b', now: true })
  await feed.until('turn.started', ({ turnId }) => turnId === 'b')
  await run('queue/clear')
  await run('session/complete')
  await run('session/complete')
  await run('session/queue')
  await run('session/resume')
  await run('session/resume')
  await run('session/delete')
  await run('session/delete')
  return answers
}

/** Without fields that differ between any two sessions. */
function comparable(value: unknown, session: TestSession): unknown {
  const ids = new Map([[session.id, 'the session']])
  for (const { data } of session.feed.events)
    if ('acpSessionId' in data) ids.set(data.acpSessionId, "the agent's session")
  const text = JSON.stringify(value, (key, part: unknown) =>
    /At$|^(at|durationMs|pid|snapshot|seq|lastSeq)$/.test(key) ? typeof part : part,
  )
  return JSON.parse([...ids].reduce((rest, [id, name]) => rest.replaceAll(id, name), text))
}

/** Without the agent's updates, whose timing varies. */
async function eventsOf({ feed, path }: TestSession): Promise<SessionEvent[]> {
  const { lastSeq } = await hub.get<SessionSummary>(path)
  await feed.untilSeq(lastSeq)
  return feed.events.filter(({ type }) => type !== 'acp.update')
}

test('a session that is led over the socket is the same as one that is led over REST', async () => {
  const byRest = await hub.createSession('demo-alone')
  const bySocket = await hub.createSession('demo-alone')
  // The first event after the start comes when the snapshot of the work tree is taken.
  await byRest.feed.until('session.updated')
  await bySocket.feed.until('session.updated')
  const restAnswers = await live(byRest, overRest)
  const socketAnswers = await live(bySocket, overSocket(bySocket))

  expect(restAnswers.filter(({ error }) => error !== undefined)).toEqual([])
  const [restEvents, socketEvents] = [await eventsOf(byRest), await eventsOf(bySocket)]
  expect(comparable(socketAnswers, bySocket)).toEqual(comparable(restAnswers, byRest))
  expect(comparable(socketEvents, bySocket)).toEqual(comparable(restEvents, byRest))
  expect(restEvents.filter(({ type }) => type === 'session.ended').map(({ data }) => data)).toEqual(
    [
      expect.objectContaining({ status: 'completed', reason: 'user_request' }),
      expect.objectContaining({ status: 'cancelled', reason: 'user_request' }),
    ],
  )
})

test.each(['REST', 'the socket'])('a session that is purged over %s is gone', async (by) => {
  const session = await hub.createSession()
  const command = by === 'REST' ? overRest : overSocket(session)
  const { result } = await command('session/delete', session.id, { purge: true })
  expect(result).toMatchObject({ id: session.id, status: 'cancelled' })
  expect((await hub.fetch(session.path)).status).toBe(404)
  expect(await command('session/delete', session.id, { purge: true })).toMatchObject({
    error: { code: 'session_not_found' },
  })
})

test('a request that REST refuses is refused over the socket with the same error', async () => {
  const active = await hub.createSession()
  const ended = await hub.createSession()
  await overRest('session/complete', ended.id)
  const params: Record<string, Record<string, unknown>> = {
    'session/change': { pinned: true },
    'queue/edit': { turnId: 'none', text: 'x' },
    'queue/remove': { turnId: 'none' },
    'option/set': { optionId: 'none', value: 'x' },
  }
  const expectRefused = async (code: string, ...input: Parameters<Way>): Promise<void> => {
    const rest = await overRest(...input)
    expect(rest.error, input[0]).toMatchObject({ code })
    expect(await overSocket(active)(...input), input[0]).toEqual(rest)
  }

  for (const method of Object.keys(REST))
    await expectRefused('session_not_found', method, 'unknown', params[method])
  for (const method of ['queue/edit', 'queue/remove', 'queue/clear', 'option/set'])
    await expectRefused('session_not_active', method, ended.id, params[method])
  await expectRefused('turn_not_found', 'queue/edit', active.id, params['queue/edit'])
  await expectRefused('turn_not_found', 'queue/remove', active.id, params['queue/remove'])
  await expectRefused('option_not_found', 'option/set', active.id, params['option/set'])
  await expectRefused('bad_request', 'option/set', active.id, { optionId: 'mode', value: 7 })
  await expectRefused('bad_request', 'session/change', active.id, {})
  await expectRefused('bad_request', 'session/change', active.id, { title: '' })
  await expectRefused('bad_request', 'queue/edit', active.id, { turnId: 'none' })
  const both = { text: 'x', prompt: [{ type: 'text', text: 'x' }] }
  await expectRefused('bad_request', 'queue/edit', active.id, { turnId: 'none', ...both })
})
