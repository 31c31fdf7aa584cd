// The clock of the machine is set forward and back by hours while sessions run (libfaketime, in `npm run test:torture`): no wait ends early,
// no event is out of order, no sign-in is lost. Without libfaketime the run says so.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repo, SessionSummary } from '@quayside/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { startHubChild } from '../hub-child.js'
import { TestFeed } from '../test-feed.js'
import { makeRepository, TOKEN } from '../test-hub.js'
import { FAKETIME, FakeClock } from './faketime.js'
import { figure, isTorture } from './figure.js'

if (isTorture && FAKETIME === undefined)
  console.warn('Clock jumps are skipped: libfaketime is not installed (apt-get install faketime).')

const JUMPS = ['+5h', '-5h', '+30h', '-30h', '+0h']
/** Longer than any test, so that only a jump ends such a wait. */
const PERMISSION_TIMEOUT_S = '3600'

test.runIf(isTorture && FAKETIME !== undefined)(
  'jumps of the clock end no wait, break no order and lose no sign-in',
  { timeout: 120_000 },
  async ({ task }) => {
    const { clock, ask, cookie, session, feed } = await startJumpingHub()
    for (const jump of JUMPS) {
      const permissionId = await openPermission(session, feed, ask)
      clock.jump(jump)
      const me = await ask('GET', '/api/me', { cookie })
      expect(me.status, jump).toBe(200)
      const open = (await (await ask('GET', `${session}/permissions`)).json()) as {
        permissions: unknown[]
      }
      expect(open.permissions, jump).toHaveLength(1)
      await ask('POST', `${session}/permissions/${permissionId}`, {
        body: { optionId: 'allow_once' },
      })
      const { data } = await feed.until(
        'permission.resolved',
        (one) => one.permissionId === permissionId,
      )
      expect(data.outcome, jump).toMatchObject({ optionId: 'allow_once' })
    }
    await ask('POST', `${session}/prompt`, { body: { text: 'echo the end' } })
    await feed.until('acp.update', ({ update }) => JSON.stringify(update).includes('the end'))
    expect(feed.types().filter((type) => type === 'notice' || type === 'session.ended')).toEqual([])
    const hours = new Set(feed.events.map(({ at }) => new Date(at).toISOString().slice(0, 13)))
    expect(hours.size, 'the clock of the hub did jump').toBeGreaterThanOrEqual(JUMPS.length)
    figure(task, { what: 'jumps of the clock', count: JUMPS.length })
  },
)

test.runIf(isTorture && FAKETIME !== undefined)(
  'a hub whose waits follow the clock of the machine is found out',
  { timeout: 120_000 },
  async () => {
    const { clock, ask, session, feed } = await startJumpingHub({
      FAKETIME_DONT_FAKE_MONOTONIC: '0',
    })
    const permissionId = await openPermission(session, feed, ask)
    clock.jump('+5h')
    const { data } = await feed.until('permission.resolved')
    expect(data).toMatchObject({ permissionId })
  },
)

type Ask = (
  method: string,
  path: string,
  more?: { readonly body?: unknown; readonly cookie?: string },
) => Promise<Response>

async function startJumpingHub(how: Readonly<Record<string, string>> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-clock-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  makeRepository(join(folder, 'workspace', 'shop'))
  const clock = new FakeClock(join(folder, 'clock'))
  const hub = await startHubChild([], {
    QUAYSIDE_DATA_DIR: join(folder, 'data'),
    QUAYSIDE_DEMO_PACE: '0',
    QUAYSIDE_TOKEN: TOKEN,
    AGENT_WORKSPACE_ROOT: join(folder, 'workspace'),
    AGENT_PERMISSION_TIMEOUT: PERMISSION_TIMEOUT_S,
    ...clock.env,
    ...how,
  })
  onTestFinished(async () => void (await hub.stop('SIGTERM')))
  const ask: Ask = (method, path, { body, cookie } = {}) =>
    fetch(`${hub.address}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(cookie === undefined ? { authorization: `Bearer ${TOKEN}` } : { cookie }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const code = new URL(hub.signInAddress).hash.replace('#code=', '')
  const cookie = (await ask('POST', '/api/login', { body: { code } })).headers
    .get('set-cookie')!
    .split(';')[0]!
  const { repos } = (await (await ask('POST', '/api/repos/scan', { body: {} })).json()) as {
    repos: Repo[]
  }
  const created = await ask('POST', '/api/sessions', {
    body: { repoId: repos[0]!.id, extensionId: 'demo' },
  })
  const { id } = (await created.json()) as SessionSummary
  const feed = await TestFeed.open(hub.address, id, 0)
  onTestFinished(() => feed.close())
  return { clock, ask, cookie, session: `/api/sessions/${id}`, feed }
}

/** The id of a permission that the agent waits for. */
async function openPermission(session: string, feed: TestFeed, ask: Ask): Promise<string> {
  const { turnId } = (await (
    await ask('POST', `${session}/prompt`, { body: { text: 'ask' } })
  ).json()) as {
    turnId: string
  }
  const { data } = await feed.until('permission.requested', (asked) => asked.turnId === turnId)
  return data.permissionId
}
