// Repositories that make git wait for ever, in every place that git reads: each look at them ends in time, and no other repository waits.
// `npm test` takes two of them at one route, `npm run test:torture` all of them at all routes.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo, SessionList } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { TestRepo } from '../git-fixture.js'
import { startTestHub, type TestHub, TOKEN } from '../test-hub.js'
import { type Blocker, BLOCKERS } from './git-blockers.js'
import { figure, isTorture } from './figure.js'
import { Siege } from './siege.js'

/** git is given up after some five seconds; the rest is for a busy machine. */
const LIMIT_MS = 15_000
/** A session with its work tree, also by a fork, or a turn with two snapshots, each of which is given up after ten seconds. */
const TURN_LIMIT_MS = 45_000
const SHORT = /pipe at \.git\/config$|pipe as the commit/
const blockers = isTorture ? BLOCKERS : BLOCKERS.filter(({ name }) => SHORT.test(name))

test(
  `${blockers.length} repositories of pipes and devices are answered for in time, and hold up no other`,
  { timeout: 1_200_000 },
  async ({ task }) => {
    await using hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '200' } })
    const blocked = blockers.map((blocker, at) => build(hub.workspace, blocker, `blocked-${at}`))
    const known = await scan(hub)
    const failures: string[] = []
    // A few at a time: more than the places for git processes of the whole hub.
    for (let at = 0; at < blocked.length; at += 6) {
      const some = blocked.slice(at, at + 6)
      const looks = some.map(({ path }) => lookAt(hub, known.get(path)))
      const other = timed(
        'status of another repository',
        hub.fetch(`/api/repos/${known.get('shop-api')}/status`),
      )
      const found = await Promise.all(looks)
      for (const [index, slow] of found.entries())
        failures.push(...slow.map((look) => `${some[index]!.name}: ${look}`))
      failures.push(
        ...(await other).map(
          (look) => `beside ${some.map(({ name }) => name).join(', ')}: ${look}`,
        ),
      )
    }
    expect(failures).toEqual([])
    figure(task, {
      what: 'blocking repositories × routes',
      count: blockers.length * (routes.length + 2 * sessionRoutes.length),
    })
  },
)

test.runIf(isTorture)(
  'a hub that waits for a git process which never ends is found out',
  { timeout: 120_000 },
  async () => {
    await using siege = await Siege.open({ mutant: 'waits-for-git' })
    const blocker = BLOCKERS.find(({ name }) => name === 'a pipe as the commit')!
    build(join(siege.folder, 'workspace'), blocker, 'blocked')
    const { repos } = await siege.call<{ repos: Repo[] }>('POST', '/api/repos/scan', {})
    const { id } = repos.find(({ name }) => name === 'blocked')!
    const headers = { authorization: `Bearer ${TOKEN}` }
    const look = fetch(`${siege.address}/api/repos/${id}/status`, { headers })
    expect((await timed('status', look)).join()).toContain('status took')
  },
)

function build(
  workspace: string,
  blocker: Blocker,
  folder: string,
): { name: string; path: string } {
  const repo = new TestRepo(join(workspace, folder))
  mkdirSync(repo.path)
  repo.init().write('a.txt', 'one\n').write('sub/b.txt', 'b\n').commit().write('a.txt', 'two\n')
  blocker.block(repo)
  return { name: blocker.name, path: folder }
}

/** Ids by folder. A repository that is none any more has none. */
async function scan(hub: TestHub): Promise<Map<string, string>> {
  const { repos } = (await (await hub.post('/api/repos/scan', {})).json()) as { repos: Repo[] }
  return new Map(repos.map(({ id, name }) => [name, id]))
}

const ROUTES: readonly ((id: string) => [method: string, path: string])[] = [
  (id) => ['GET', `/api/repos/${id}`],
  (id) => ['GET', `/api/repos/${id}/status`],
  (id) => ['GET', `/api/repos/${id}/diff`],
  (id) => ['GET', `/api/repos/${id}/diff?path=a.txt`],
  (id) => ['GET', `/api/repos/${id}/files?q=a`],
  (id) => ['GET', `/api/repos/${id}/file?path=a.txt`],
  (id) => ['POST', `/api/repos/${id}/trust`],
  (id) => ['GET', `/api/repos/${id}/worktrees`],
  (id) => ['GET', `/api/sessions?repoId=${id}`],
]

const routes = isTorture ? ROUTES : ROUTES.slice(1, 2)

/** Of a session that has run a turn. Each looks at its work tree, or writes into it. */
const SESSION_ROUTES: readonly ((
  turnId: string,
) => [method: string, path: string, body?: object])[] = [
  () => ['GET', '/changes'],
  (turnId) => ['GET', `/changes?turnId=${turnId}`],
  () => ['GET', '/workspace/unsaved'],
  (turnId) => ['POST', '/undo', { turnId }],
  () => ['POST', '/fork'],
]
const sessionRoutes = isTorture ? SESSION_ROUTES : []

/** The looks that took too long. */
async function lookAt(hub: TestHub, id: string | undefined): Promise<string[]> {
  if (id === undefined) return []
  const slow: string[] = []
  for (const route of routes) slow.push(...(await request(hub, route(id))))
  if (!isTorture) return slow
  for (const workspace of ['shared', 'worktree'])
    slow.push(...(await liveSession(hub, { repoId: id, workspace })))
  return slow
}

async function request(
  hub: TestHub,
  [method, path, body = {}]: readonly [string, string, (object | undefined)?],
): Promise<string[]> {
  const headers = { 'content-type': 'application/json' }
  const init = method === 'GET' ? {} : { body: JSON.stringify(body), headers }
  const limitMs = path.endsWith('/fork') ? TURN_LIMIT_MS : LIMIT_MS
  return timed(`${method} ${path}`, hub.fetch(path, { method, ...init }), limitMs)
}

/** A session is a look, too: its turns take snapshots, and its own work tree is made by git. */
async function liveSession(
  hub: TestHub,
  { repoId, workspace }: { readonly repoId: string; readonly workspace: string },
): Promise<string[]> {
  const input = { repoId, extensionId: 'demo', settings: { workspace } }
  let response: Response | undefined
  const create = async (): Promise<void> => {
    response = await hub.post('/api/sessions', input)
  }
  const slow = await timed('a session', create(), TURN_LIMIT_MS)
  if (response?.status !== 201) return slow.map((look) => `${workspace}: ${look}`)
  const { id } = (await response.json()) as { id: string }
  const turnId = crypto.randomUUID()
  slow.push(...(await timed('a turn', runTurn(hub, id, turnId), TURN_LIMIT_MS)))
  for (const route of sessionRoutes) {
    const [method, path, body] = route(turnId)
    slow.push(...(await request(hub, [method, `/api/sessions/${id}${path}`, body])))
  }
  await hub.fetch(`/api/sessions/${id}`, { method: 'DELETE' })
  const { sessions } = await hub.get<SessionList>(`/api/sessions?repoId=${repoId}&status=active`)
  for (const fork of sessions) await hub.fetch(`/api/sessions/${fork.id}`, { method: 'DELETE' })
  return slow.map((look) => `${workspace}: ${look}`)
}

async function runTurn(hub: TestHub, sessionId: string, turnId: string): Promise<void> {
  const feed = await hub.follow(sessionId)
  await hub.post(`/api/sessions/${sessionId}/prompt`, { id: turnId, text: 'echo done' })
  await feed.until('turn.ended', (data) => data.turnId === turnId)
  feed.close()
}

async function timed(
  what: string,
  look: Promise<Response | void>,
  limitMs = LIMIT_MS,
): Promise<string[]> {
  const startedAt = performance.now()
  const response = await look
  const tookMs = Math.round(performance.now() - startedAt)
  // 400 would be a mistake of this test.
  if (response && (response.status === 400 || response.status >= 500) && response.status !== 502)
    return [`${what} answered ${response.status}`]
  return tookMs > limitMs ? [`${what} took ${tookMs} ms`] : []
}
