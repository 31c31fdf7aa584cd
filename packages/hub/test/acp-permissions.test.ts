// Permissions and questions go to every ACP client, and the first answer from any client counts.
import { expect, test } from 'vitest'
import { AcpStage, type Answer, Desk, selected } from './acp-stage.js'
import { type AcpTestClient, webSocketStream } from './acp-test-client.js'

/** 200 in `npm run test:torture`. */
const ROUNDS = Number(process.env['QUAYSIDE_TORTURE_ROUNDS'] ?? 9)

const stage = AcpStage.forFile()

test('the first answer to a permission counts, from ACP or REST, and the others are taken back', async () => {
  const { sessionId, one, two, feed } = await stage.openTogether()
  let withdrawn = 0
  const desks = [one, two].map((client) => new Desk(client, () => (withdrawn += 1)))
  const seen = new Set<string>()
  const wins = { rest: 0, acp: 0 }
  for (let round = 1; round <= ROUNDS; round += 1) {
    const prompt = two.prompt(sessionId, 'ask')
    const { data } = await feed.until(
      'permission.requested',
      ({ permissionId }) => !seen.has(permissionId),
    )
    const { permissionId } = data
    const answers = await Promise.all(desks.map((desk) => desk.nextQuestion()))

    const resolving = feed.until('permission.resolved', (one) => one.permissionId === permissionId)
    // In turn: REST answers first, an ACP client answers first, all answer at once.
    const path = `/api/sessions/${sessionId}/permissions/${permissionId}`
    const answerByAcp = (): void => {
      answers[round % 2]?.(selected('reject_once'))
      answers[(round + 1) % 2]?.(selected('allow_always'))
    }
    if (round % 3 === 1) {
      answerByAcp()
      await resolving
    }
    const rest = stage.hub.post(path, { optionId: 'allow_once' })
    if (round % 3 === 0) await rest
    if (round % 3 !== 1) answerByAcp()
    const { status } = await rest
    const { data: resolved } = await resolving
    seen.add(permissionId)
    const chosen = resolved.outcome.outcome === 'selected' ? resolved.outcome.optionId : 'none'
    expect(status).toBe(chosen === 'allow_once' ? 200 : 409)
    wins[chosen === 'allow_once' ? 'rest' : 'acp'] += 1
    expect((await prompt).stopReason).toBe('end_turn')
    expect(two.text(sessionId).endsWith(`selected ${chosen}`)).toBe(true)
  }
  const outcomes = feed.events.filter(({ type }) => type === 'permission.resolved')
  expect(outcomes).toHaveLength(ROUNDS)
  expect(Math.min(wins.rest, wins.acp)).toBeGreaterThanOrEqual(Math.floor(ROUNDS / 3))
  expect(withdrawn).toBeGreaterThan(0)
}, 240_000)

test('a permission answered elsewhere is taken back with $/cancel_request, and a late answer harms nothing', async () => {
  const { sessionId, one, two, feed } = await stage.openTogether()
  let answerLate: Answer = () => {}
  one.onPermission = () => new Promise((resolve) => (answerLate = resolve))
  const prompt = two.prompt(sessionId, 'ask')
  const { data } = await feed.until('permission.requested')
  await one.until(() => one.received.some(({ method }) => method === 'session/request_permission'))

  await stage.hub.post(`/api/sessions/${sessionId}/permissions/${data.permissionId}`, {
    optionId: 'reject_once',
  })
  await one.until(() => one.received.some(({ method }) => method === '$/cancel_request'))
  answerLate(selected('allow_once'))

  expect((await prompt).stopReason).toBe('end_turn')
  expect(two.text(sessionId)).toBe('selected reject_once')
  expect((await one.prompt(sessionId, 'echo fine')).stopReason).toBe('end_turn')
})

test('a permission that is open when a client comes is put to it, behind the answer that opens the session', async () => {
  const { sessionId, one } = await stage.openTogether()
  const prompt = one.prompt(sessionId, 'ask')
  await one.until(() => one.received.some(({ method }) => method === 'session/request_permission'))

  const late = await stage.connect()
  late.onPermission = async () => selected('allow_always')
  await late.load(sessionId, stage.cwd)

  expect((await prompt).stopReason).toBe('end_turn')
  expect(one.text(sessionId)).toBe('selected allow_always')
  const order = late.received.map(({ method, id }) => method ?? `answer ${String(id)}`)
  expect(order.indexOf('session/request_permission')).toBeGreaterThan(order.indexOf('answer 1'))
})

test('a question goes to the clients that can show it', async () => {
  const { sessionId, one } = await stage.openTogether()
  const able = await stage.connect(webSocketStream(stage.hub.hub.address), {
    elicitation: { form: {} },
  })
  able.onQuestion = async () => ({ action: 'decline' })
  await able.agent.request('session/resume', { sessionId, cwd: stage.cwd })

  expect((await one.prompt(sessionId, 'question')).stopReason).toBe('end_turn')

  expect(one.text(sessionId)).toContain('decline')
  const asked = (client: AcpTestClient): number =>
    client.received.filter(({ method }) => method === 'elicitation/create').length
  expect([asked(one), asked(able)]).toEqual([0, 1])
})
