// The hub's log holds no message bodies, and at the level `debug` only the beginnings of final texts.
import { expect, test } from 'vitest'
import { startTestHub } from './test-hub.js'

test('prompts, answers, tool calls and decisions are not in the log', async () => {
  await using hub = await startTestHub()
  const session = await hub.createSession('demo')
  await session.run('echo marker-5f2e')
  const { turnId } = await session.prompt('ask')
  const { data } = await session.feed.until('permission.requested')
  await session.answer(data.permissionId, 'allow_once')
  await session.feed.until('turn.ended', (ended) => ended.turnId === turnId)
  expect(session.feed.text()).toContain('marker-5f2e')
  const log = hub.log.text
  expect(log, 'the log is written').toContain(session.id)
  for (const body of ['marker-5f2e', data.toolCall.title!]) expect(log).not.toContain(body)
})

test('of a long answer the log has its beginning only, at the level debug', async () => {
  await using hub = await startTestHub({ env: { QUAYSIDE_LOG_LEVEL: 'debug' } })
  const session = await hub.createSession('demo')
  await session.run(`echo begin-5f2e ${'x'.repeat(500)} end-5f2e`)
  await expect.poll(() => hub.log.text).toContain('begin-5f2e')
  expect(hub.log.text).not.toContain('end-5f2e')
})
