// Every command of the WebSocket has the same result and the same errors as its REST route.
import type { SessionEvent, SessionSummary } from '@quayside/protocol'
import { parseAddress, replaceNames, REST_COMMANDS } from '@quayside/protocol/schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
})
afterAll(() => hub[Symbol.asyncDispose]())

type Params = Readonly<Record<string, unknown>>
type Answer = { readonly result?: unknown; readonly error?: unknown }
type Way = (name: string, params: Params) => Promise<Answer>

const overRest: Way = async (name, params) => {
  const { method, path } = parseAddress(REST_COMMANDS.get(name)!.rest)
  const rest: Record<string, unknown> = { ...params }
  const filled = replaceNames(path, (field) => {
    const value = String(rest[field])
    delete rest[field]
    return value
  })
  const hasBody = method !== 'get' && method !== 'delete'
  const query = new URLSearchParams(rest as Record<string, string>)
  const response = await hub.fetch(hasBody ? filled : `${filled}?${query}`, {
    method: method.toUpperCase(),
    ...(hasBody && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rest),
    }),
  })
  const answer = JSON.parse((await response.text()) || '{}') as { error?: unknown }
  return response.ok ? { result: answer } : { error: answer.error }
}

function overSocket({ feed }: TestSession): Way {
  return async (name, params) => {
    const { result, error } = await feed.call(name, params)
    if (error === undefined) return { result }
    return { error: { message: error.message, ...error.data } }
  }
}

/** Runs commands on one session from its first change to its end, and returns their results. */
async function live({ id, feed }: TestSession, command: Way): Promise<Answer[]> {
  const answers: Answer[] = []
  const run = async (name: string, params?: Params): Promise<void> => {
    answers.push(await command(name, { sessionId: id, ...params }))
  }
  await run('session/change', { title: 'Renamed', pinned: true, archived: true })
  await run('session/change', { archived: false })
  await run('option/set', { optionId: 'mode', value: 'code' })
  for (const turnId of ['running', 'a', 'b', 'c']) {
    await run('session/prompt', { text: 'slow 60', id: turnId })
    await feed.until('turn.started')
  }
  await run('session/queue')
  await run('queue/edit', { turnId: 'a', text: 'echo a' })
  await run('queue/edit', { turnId: 'c', before: 'a' })
  await run('queue/remove', { turnId: 'a' })
  await run('queue/edit', { turnId: 'b', now: true })
  await feed.until('turn.started', ({ turnId }) => turnId === 'b')
  await run('queue/clear')
  await run('session/cancel')
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

test.each(['REST', 'the socket'])(
  'a session begun over %s is answered with its id as `sessionId` too',
  async (by) => {
    const anchor = await hub.createSession()
    const command = by === 'REST' ? overRest : overSocket(anchor)
    const { result } = await command('session/new', { repoId: anchor.summary.repoId })
    const { id, sessionId } = result as { id: string; sessionId: string }
    expect(sessionId).toBe(id)
    expect(await hub.get(`/api/sessions/${sessionId}`)).toMatchObject({ status: 'active' })
  },
)

test.each(['REST', 'the socket'])('a session that is purged over %s is gone', async (by) => {
  const session = await hub.createSession()
  const command = by === 'REST' ? overRest : overSocket(session)
  const { result } = await command('session/delete', { sessionId: session.id, purge: true })
  expect(result).toMatchObject({ id: session.id, status: 'cancelled' })
  expect((await hub.fetch(session.path)).status).toBe(404)
  expect(await command('session/delete', { sessionId: session.id, purge: true })).toMatchObject({
    error: { code: 'session_not_found' },
  })
})

/** Inputs for every command that both ways have; the ids in them do not exist. */
const REFUSED: Readonly<Record<string, { readonly code: string; readonly params: Params }>> = {
  'session/new': { code: 'repo_not_found', params: { repoId: 'none' } },
  'session/change': ofSession({ pinned: true }),
  'session/complete': ofSession(),
  'session/resume': ofSession(),
  'session/fork': ofSession({ turnId: 'none' }),
  'session/delete': ofSession({ purge: false }),
  'session/prompt': ofSession({ text: 'echo x' }),
  'session/cancel': ofSession(),
  'session/queue': ofSession(),
  'session/find': ofSession({ q: 'x' }),
  'session/checkpoints': ofSession(),
  'session/undo': ofSession({ turnId: 'none' }),
  'session/redo': ofSession(),
  'session/workspace': ofSession({ action: 'commit' }),
  'session/check': ofSession(),
  'comparison/create': {
    code: 'repo_not_found',
    params: { repoId: 'none', agents: ['demo', 'demo'], text: 'echo x' },
  },
  'comparison/get': { code: 'comparison_not_found', params: { comparisonId: 'none' } },
  'comparison/take': {
    code: 'comparison_not_found',
    params: { comparisonId: 'none', sessionId: 'none' },
  },
  'queue/edit': ofSession({ turnId: 'none', text: 'x' }),
  'queue/remove': ofSession({ turnId: 'none' }),
  'queue/clear': ofSession(),
  'permission/answer': ofSession({ permissionId: 'none', optionId: 'x' }),
  'question/answer': ofSession({ questionId: 'none', action: 'decline' }),
  'option/set': ofSession({ optionId: 'none', value: 'x' }),
  'terminal/close': { code: 'terminal_not_found', params: { terminalId: 'none' } },
}

function ofSession(params: Params = {}) {
  return { code: 'session_not_found', params: { sessionId: 'unknown', ...params } }
}

test('every command that both ways have is among those that are compared', () => {
  const both = [...REST_COMMANDS].filter(([, { rpc }]) => rpc !== undefined)
  expect(Object.keys(REFUSED).toSorted()).toEqual(both.map(([name]) => name).toSorted())
})

test('a request that REST refuses is refused over the socket with the same error', async () => {
  const active = await hub.createSession()
  const ended = await hub.createSession()
  await overRest('session/complete', { sessionId: ended.id })
  const expectRefused = async (code: string, name: string, params: Params): Promise<void> => {
    const rest = await overRest(name, params)
    expect(rest.error, name).toMatchObject({ code })
    expect(await overSocket(active)(name, params), name).toEqual(rest)
  }
  const inActive = (code: string, name: string, params?: Params) =>
    expectRefused(code, name, { ...REFUSED[name]?.params, sessionId: active.id, ...params })

  for (const [name, { code, params }] of Object.entries(REFUSED))
    await expectRefused(code, name, params)
  for (const name of ['queue/edit', 'queue/remove', 'queue/clear', 'option/set', 'session/cancel'])
    await expectRefused('session_not_active', name, {
      ...REFUSED[name]?.params,
      sessionId: ended.id,
    })
  await inActive('turn_not_found', 'queue/edit')
  await inActive('turn_not_found', 'queue/remove')
  await inActive('option_not_found', 'option/set')
  await inActive('permission_not_found', 'permission/answer')
  await inActive('question_not_found', 'question/answer')
  await inActive('bad_request', 'option/set', { optionId: 'mode', value: 7 })
  const change = { sessionId: active.id }
  await expectRefused('bad_request', 'session/change', change)
  await expectRefused('bad_request', 'session/change', { ...change, title: '' })
  await expectRefused('bad_request', 'queue/edit', { ...change, turnId: 'none' })
  const both = { text: 'x', prompt: [{ type: 'text', text: 'x' }] }
  await expectRefused('bad_request', 'queue/edit', { ...change, turnId: 'none', ...both })
})
