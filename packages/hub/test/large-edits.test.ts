// Edits of large files: a permission has the true diff, made from the whole texts, and rules judge it like any other.
import { type DiffContent, readStoredDiff, type SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, type TestHub, TestSession } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true })
})
afterAll(() => hub[Symbol.asyncDispose]())

async function proposed(session: TestSession, prompt: string): Promise<DiffContent> {
  const { turnId } = await session.prompt(prompt)
  const { data } = await session.feed.until(
    'permission.requested',
    (asked) => asked.turnId === turnId,
  )
  await session.answer(data.permissionId, 'allow_once')
  await session.feed.until('turn.ended', (ended) => ended.turnId === turnId)
  return (data.toolCall.content as DiffContent[])[0]!
}

async function textAt(media: string | undefined): Promise<string> {
  return (await hub.fetch(media ?? '/media/none')).text()
}

test('one changed line at the end of a large file is what the permission shows', async () => {
  const entry = await proposed(await hub.createSession(), 'propose 6000 1')
  const diff = readStoredDiff(entry)
  expect(diff).toMatchObject({ added: 1, removed: 1 })
  expect(diff?.patch).toMatch(
    /^@@ -5997,4 \+5997,4 @@\n( line \d+ stays \.+\n){3}-line 6000 was \.+\n\+line 6000 becomes \.+\n$/,
  )
  expect((await textAt(diff?.oldMedia)).split('\n')).toHaveLength(6_001)
  expect(await textAt(diff?.newMedia)).toContain('line 6000 becomes')
})

test('30,000 changed lines are counted, and all of them can be read', async () => {
  const diff = readStoredDiff(await proposed(await hub.createSession(), 'propose 30000 30000'))
  expect(diff).toMatchObject({ added: 30_000, removed: 30_000 })
  const patch = await textAt(diff?.patchMedia)
  expect(patch.split('\n')).toHaveLength(60_002)
  expect(patch).toContain('\n+line 30000 becomes ')
})

test('a rule allows a large edit as it allows a small one', async () => {
  const { id: repoId } = await hub.firstRepo()
  const permissions = { rules: [{ action: 'allow', kind: 'edit' }] }
  const response = await hub.post('/api/sessions', { repoId, settings: { permissions } })
  const summary = (await response.json()) as SessionSummary
  const session = new TestSession(hub, summary, await hub.follow(summary.id))
  await session.run('propose 6000 1')
  const { data } = await session.feed.until('permission.resolved')
  expect(data).toMatchObject({ reason: 'rule', outcome: { outcome: 'selected' } })
})
