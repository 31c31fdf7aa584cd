// Permissions, questions, options and sign-in: each decision of a person counts exactly once.
import type { SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXTENSIONS, startTestHub, type TestHub, TestSession } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({
    sharesAgent: true,
    env: { AGENT_MAX_SESSIONS: '50', QUAYSIDE_EXTENSIONS: EXTENSIONS },
  })
})
afterAll(() => hub[Symbol.asyncDispose]())

async function createWithPermissions(permissions: unknown): Promise<TestSession> {
  const { id: repoId } = await hub.firstRepo()
  const response = await hub.post('/api/sessions', { repoId, settings: { permissions } })
  const summary = (await response.json()) as SessionSummary
  return new TestSession(hub, summary, await hub.follow(summary.id))
}

test.each(['allow_once', 'allow_always', 'reject_once'])(
  'Permission: %s selects the option of that id, and the agent gets it',
  async (optionId) => {
    const session = await hub.createSession()
    await session.prompt('ask')
    const { permissionId, options } = (await session.feed.until('permission.requested')).data
    expect(options.map((option) => option.optionId)).toContain(optionId)
    expect((await session.answer(permissionId, optionId)).status).toBe(200)
    await session.feed.until('turn.ended')
    expect(session.feed.text()).toBe(`selected ${optionId}`)
  },
)

test.each([
  ['empty', 'options are missing'],
  ['numbers', 'no optionId is a string'],
  ['no-call', 'toolCall with a toolCallId is missing'],
])(
  'a permission that cannot be answered (%s) is an error for the agent and a notice for people',
  async (kind, why) => {
    const session = await hub.createSession()
    const { turnId } = await session.prompt(`bad-ask ${kind}`)
    const { data } = await session.feed.until('notice')
    expect(data).toMatchObject({ severity: 'warning', code: 'permission_rejected', turnId })
    expect(data.message).toContain(why)
    await session.feed.until('turn.ended')
    expect(session.feed.text()).toBe('-32602')
    expect(session.feed.events.filter(({ type }) => type === 'permission.requested')).toEqual([])
  },
)

test('of two answers at once exactly one counts, and the agent gets that one', async () => {
  const session = await hub.createSession()
  for (let round = 0; round < 20; round += 1) {
    const { turnId } = await session.prompt('ask')
    const asked = await session.feed.until('permission.requested', (data) => data.turnId === turnId)
    const { permissionId, options } = asked.data
    const [first, second] = [options[0]!.optionId, options[2]!.optionId]
    const answers = await Promise.all([
      session.answer(permissionId, first).then(({ status }) => status),
      session.feed
        .call('permission/answer', { sessionId: session.id, permissionId, optionId: second })
        .then(({ error }) => (error ? 409 : 200)),
    ])
    expect(answers.toSorted()).toEqual([200, 409])
    const winner = answers[0] === 200 ? first : second
    const resolved = await session.feed.until(
      'permission.resolved',
      (data) => data.permissionId === permissionId,
    )
    expect(resolved.data.outcome).toEqual({ outcome: 'selected', optionId: winner })
    await session.feed.until('turn.ended', (data) => data.turnId === turnId)
    expect(session.feed.text().endsWith(`selected ${winner}`)).toBe(true)
  }
})

test('a permission the agent takes back is closed', async () => {
  const session = await hub.createSession()
  await session.run('withdraw')
  const resolved = await session.feed.until('permission.resolved')
  expect(resolved.data).toMatchObject({ outcome: { outcome: 'cancelled' }, reason: 'withdrawn' })
})

test('two questions at the same time are answered apart', async () => {
  const session = await hub.createSession()
  await session.prompt('two-asks')
  const first = await session.feed.until('permission.requested')
  const second = await session.feed.until(
    'permission.requested',
    (data) => data.permissionId !== first.data.permissionId,
  )
  await session.answer(second.data.permissionId, second.data.options[0]!.optionId)
  await session.answer(first.data.permissionId, first.data.options[1]!.optionId)
  expect((await session.feed.until('turn.ended')).data.stopReason).toBe('end_turn')
})

test('auto mode is explicit, answers once and is recorded in the log', async () => {
  const session = await createWithPermissions({ mode: 'auto' })
  await session.run('ask')
  const { data } = await session.feed.until('permission.resolved')
  expect(data).toMatchObject({ reason: 'rule', by: 'auto mode', outcome: { outcome: 'selected' } })
})

test('a new rule answers the permissions that are already open, and leaves the others', async () => {
  const session = await hub.createSession()
  await session.prompt('two-asks')
  const first = await session.feed.until('permission.requested')
  await session.feed.until(
    'permission.requested',
    (data) => data.permissionId !== first.data.permissionId,
  )
  const patch = (permissions: object) =>
    hub.fetch(`/api/sessions/${session.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ settings: { permissions } }),
    })
  expect((await patch({ rules: [{ action: 'allow', kind: 'fetch' }] })).status).toBe(200)
  const open = await hub.get<object>(`/api/sessions/${session.id}/permissions`)
  expect(open).toMatchObject({ permissions: [{}, {}] })
  expect((await patch({ mode: 'auto' })).status).toBe(200)
  expect((await session.feed.until('turn.ended')).data.stopReason).toBe('end_turn')
  const resolved = session.feed.events.filter(({ type }) => type === 'permission.resolved')
  expect(resolved.map(({ data }) => data)).toMatchObject([
    { reason: 'rule', by: 'auto mode' },
    { reason: 'rule', by: 'auto mode' },
  ])
})

test('a rule denies by tool kind', async () => {
  const session = await createWithPermissions({ rules: [{ action: 'deny', kind: 'edit' }] })
  await session.run('edit denied.md')
  const { data } = await session.feed.until('permission.resolved')
  expect(data).toMatchObject({ reason: 'rule' })
  expect(data.by).toContain('deny')
})

test('rules judge the whole call, although the request has nothing but its id', async () => {
  const rules = [{ action: 'deny', kind: 'execute' }]
  const session = await createWithPermissions({ mode: 'auto', rules })
  await session.run('ask-call {"kind":"execute","rawInput":{"command":"rm -rf x"}}')
  expect(session.feed.text()).toBe('selected reject_once')
  const edit = { kind: 'edit', locations: [{ path: 'src/a.ts' }] }
  await session.run(`ask-call ${JSON.stringify(edit)}`)
  expect(session.feed.text()).toContain('selected allow_once')

  const sensitive = { kind: 'edit', rawInput: { file_path: '.vscode/tasks.json' } }
  const { turnId } = await session.prompt(`ask-call ${JSON.stringify(sensitive)}`)
  const asked = await session.feed.until('permission.requested', (data) => data.turnId === turnId)
  const { permissions } = (await (await hub.fetch(`${session.path}/permissions`)).json()) as {
    permissions: unknown[]
  }
  // A client that decides gets the same facts.
  expect(permissions).toMatchObject([{ toolCall: sensitive }])
  await session.answer(asked.data.permissionId, 'reject_once')
  const resolved = await session.feed.until(
    'permission.resolved',
    ({ permissionId }) => permissionId === asked.data.permissionId,
  )
  expect(resolved.data.reason).toBe('answered')
})

test('a form of the agent is asked, answered and reaches it', async () => {
  const session = await hub.createSession()
  const { turnId } = await session.prompt('question')
  const asked = await session.feed.until('question.asked')
  expect(asked.data).toMatchObject({ mode: 'form', turnId })
  expect((await session.summaryNow()).activity).toBe('waiting')
  const path = `${session.path}/questions/${asked.data.questionId}`
  const { required = [] } = asked.data.requestedSchema as { required?: string[] }
  if (required.length > 0)
    expect((await hub.post(path, { action: 'accept', content: {} })).status).toBe(422)
  const content = Object.fromEntries(required.map((name) => [name, 'blue']))
  expect((await hub.post(path, { action: 'accept', content })).status).toBe(200)
  expect((await hub.post(path, { action: 'decline' })).status).toBe(409)
  await session.feed.until('turn.ended')
  expect(session.feed.text()).toContain(required.length > 0 ? 'blue' : 'accept')
})

test('a question with an address is accepted, and the agent continues', async () => {
  const session = await hub.createSession()
  await session.prompt('question url')
  const { data } = await session.feed.until('question.asked')
  expect(data).toMatchObject({ mode: 'url', url: expect.stringMatching(/^https:/) as string })
  expect(data).not.toHaveProperty('requestedSchema')
  const path = `${session.path}/questions/${data.questionId}`
  expect((await hub.post(path, { action: 'accept' })).status).toBe(200)
  await session.feed.until('turn.ended')
  expect(session.feed.text()).toBe('accept')
  const answers = session.feed.events.filter(({ type }) => type === 'question.answered')
  expect(answers.map((event) => event.data)).toMatchObject([
    { questionId: data.questionId, action: 'accept', reason: 'answered' },
  ])
})

test('elicitation/complete closes a question whose address was dealt with elsewhere', async () => {
  const session = await hub.createSession()
  await session.prompt('question url done')
  const { questionId } = (await session.feed.until('question.asked')).data
  const { data } = await session.feed.until('question.answered')
  expect(data).toMatchObject({ questionId, action: 'accept', reason: 'completed' })
  await session.feed.until('turn.ended')
  expect(session.feed.text()).toBe('accept')
  const late = await hub.post(`${session.path}/questions/${questionId}`, { action: 'decline' })
  expect(late.status).toBe(409)
})

test('cancelling a turn cancels its questions', async () => {
  const session = await hub.createSession()
  await session.prompt('question')
  await session.feed.until('question.asked')
  await hub.post(`${session.path}/cancel`, {})
  expect((await session.feed.until('question.answered')).data.action).toBe('cancel')
  expect((await session.feed.until('turn.ended')).data.stopReason).toBe('cancelled')
})

function send(method: 'PUT' | 'PATCH', path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return hub.fetch(path, { method, headers, body: JSON.stringify(body) })
}

function put({ path }: TestSession, option: string, value: unknown): Promise<Response> {
  return send('PUT', `${path}/options/${option}`, { value })
}

test('modes, config options and models are set in the way the agent has them', async () => {
  const session = await hub.createSession()
  const { modes, configOptions } = (await session.feed.until('agent.started')).data
  const other = modes!.availableModes.find(({ id }) => id !== modes!.currentModeId)!
  expect((await put(session, 'mode', other.id)).status).toBe(200)
  expect((await session.feed.until('option.set')).data).toMatchObject({ value: other.id })
  const [option] = configOptions!
  expect((await put(session, option!.id, option!.currentValue)).status).toBe(200)
  expect((await put(session, 'no-such-option', 'x')).status).toBe(404)

  const legacy = await hub.createSession('legacy')
  const { models } = (await legacy.feed.until('agent.started')).data
  const { availableModels } = models as { availableModels: { modelId: string }[] }
  expect((await put(legacy, 'model', availableModels.at(-1)!.modelId)).status).toBe(200)
})

test.each(['demo', 'legacy'])(
  'a value that the agent (%s) does not offer is 422',
  async (agent) => {
    const session = await hub.createSession(agent)
    for (const optionId of ['mode', 'model']) {
      const refused = await put(session, optionId, 'no-such-value')
      expect({ optionId, status: refused.status }).toEqual({ optionId, status: 422 })
      expect(await refused.json()).toMatchObject({ error: { code: 'invalid_settings' } })
    }
  },
)

test('an option of a session that is ending is refused as its prompts are', async () => {
  const session = await hub.createSession()
  await session.prompt('ask')
  await session.feed.until('permission.requested')
  const ending = hub.fetch(session.path, { method: 'DELETE' })
  await session.feed.until('permission.resolved')
  const refused = await put(session, 'mode', 'code')
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ error: { code: 'session_not_active' } })
  await ending
})

test.each([
  ['a person', (session: TestSession) => put(session, 'mode', 'code')],
  ['the agent', (session: TestSession) => session.run('mode code')],
])(
  'a saved mode counts, although %s switched to another one since the start',
  async (_, change) => {
    const session = await hub.createSession()
    await change(session)
    const saved = await send('PATCH', session.path, { settings: { mode: 'ask' } })
    expect(saved.status).toBe(200)
    const { data } = await session.feed.until('option.set', ({ value }) => value === 'ask')
    expect(data).toMatchObject({ optionId: 'mode', by: 'settings' })
  },
)

test('an agent that wants a sign-in is signed in and out from the hub', async () => {
  const { id: repoId } = await hub.firstRepo()
  const create = () => hub.post('/api/sessions', { repoId, extensionId: 'signed-out' })
  const refused = await create()
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'agent_auth_required',
      details: { methods: [{ id: 'demo-login' }, { id: 'demo-terminal' }] },
    },
  })
  const unknown = await hub.post('/api/extensions/signed-out/authenticate', { methodId: 'nope' })
  expect(unknown.status).toBe(404)
  const signIn = { methodId: 'demo-login' }
  expect((await hub.post('/api/extensions/signed-out/authenticate', signIn)).status).toBe(200)
  expect((await create()).status).toBe(201)
  expect((await hub.post('/api/extensions/signed-out/logout', {})).status).toBe(200)
  expect((await create()).status).toBe(409)
})
