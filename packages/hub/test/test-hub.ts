// A whole hub for a test: real port, real database in a temporary folder, a real repository, the demo agent as a child.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Repo, SessionSummary } from '@quayside/protocol'
import { databaseSettings } from '../../../test/setup/own-database.js'
import { loadConfig } from '../src/config/config.js'
import { createHub, type Hub } from '../src/hub.js'
import { DATABASE_FILE } from '../src/store/data-files.js'
import { closeDatabase, openDatabase } from '../src/store/sqlite/database.js'
import { migrateUp } from '../src/store/sqlite/migrations.js'
import { requireDocumented } from './documented-answers.js'
import { FolderImage } from './folder-image.js'
import { HubLog } from './hub-log.js'
import { TEST_AGENT } from './test-environment.js'
import { TestFeed } from './test-feed.js'

export const TOKEN = 'a-token-for-tests-only'
/** The demo agent with many configurations. */
export const EXTENSIONS = fileURLToPath(new URL('extensions', import.meta.url))
const SHARED_DEMO = fileURLToPath(new URL('shared-demo', import.meta.url))

export type TestHubOptions = {
  readonly env?: Readonly<Record<string, string>>
  /** Reuse the folders of an earlier hub. */
  readonly folder?: string
  /** Instead of the workspace with one repository. */
  readonly root?: string
  /** All sessions of the demo agent share one process; `demo-alone` has one for each. For tests that are not about processes. */
  readonly sharesAgent?: boolean
  /** For hubs on PostgreSQL. */
  readonly leaseMs?: number
}

export async function startTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const { folder = makeFolder(), root = join(folder, 'workspace'), sharesAgent, env } = options
  const database = await databaseSettings(folder)
  const config = loadConfig(
    { port: '0', root },
    {
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_TOKEN: TOKEN,
      QUAYSIDE_DURABILITY: 'normal',
      ...TEST_AGENT,
      ...database,
      ...env,
    },
    folder,
  )
  const log = new HubLog()
  log.attach()
  const extensionFolders = [...(sharesAgent ? [SHARED_DEMO] : []), ...config.extensionFolders]
  const lease = options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }
  const hub = await createHub({ ...config, extensionFolders, ...lease }, { logTo: log })
  return new TestHub(hub, { folder, log })
}

export class TestHub implements AsyncDisposable {
  readonly hub: Hub
  readonly folder: string
  readonly log: HubLog
  #feeds: TestFeed[] = []

  constructor(hub: Hub, options: { folder: string; log: HubLog }) {
    this.hub = hub
    this.folder = options.folder
    this.log = options.log
  }

  get workspace(): string {
    return join(this.folder, 'workspace')
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    this.log.attach()
    const headers = new Headers(init.headers)
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${TOKEN}`)
    const response = await fetch(`${this.hub.address}${path}`, { ...init, headers })
    await requireDocumented(init, response)
    return response
  }

  async get<T>(path: string): Promise<T> {
    return (await this.fetch(path)).json() as Promise<T>
  }

  post(path: string, body: unknown): Promise<Response> {
    const headers = { 'content-type': 'application/json' }
    return this.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  async firstRepo(): Promise<Repo> {
    const { repos } = (await (await this.post('/api/repos/scan', {})).json()) as { repos: Repo[] }
    return repos[0]!
  }

  async createSession(extensionId?: string, more: object = {}): Promise<TestSession> {
    const { id: repoId } = await this.firstRepo()
    const response = await this.post('/api/sessions', {
      repoId,
      ...(extensionId && { extensionId }),
      ...more,
    })
    if (response.status !== 201) throw new Error(await response.text())
    const summary = (await response.json()) as SessionSummary
    return new TestSession(this, summary, await this.follow(summary.id))
  }

  async follow(sessionId: string, after = 0): Promise<TestFeed> {
    const feed = await TestFeed.open(this.hub.address, sessionId, after)
    // A closed one would only hold its memory.
    this.#feeds = [...this.#feeds.filter(({ isClosed }) => !isClosed), feed]
    return feed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const feed of this.#feeds) feed.close()
    await this.hub.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export class TestSession {
  readonly hub: TestHub
  readonly summary: SessionSummary
  readonly feed: TestFeed

  constructor(hub: TestHub, summary: SessionSummary, feed: TestFeed) {
    this.hub = hub
    this.summary = summary
    this.feed = feed
  }

  get id(): string {
    return this.summary.id
  }

  get path(): string {
    return `/api/sessions/${this.id}`
  }

  /** Sends a prompt and waits only until it is accepted. */
  async prompt(
    text: string,
    id?: string,
  ): Promise<{ turnId: string; seq: number; queued: boolean }> {
    const response = await this.hub.post(`${this.path}/prompt`, { text, ...(id && { id }) })
    if (response.status !== 202) throw new Error(await response.text())
    return response.json() as Promise<{ turnId: string; seq: number; queued: boolean }>
  }

  /** Sends a prompt and waits until its turn has ended. */
  async run(text: string) {
    const { turnId } = await this.prompt(text)
    return this.feed.until('turn.ended', (data) => data.turnId === turnId)
  }

  answer(permissionId: string, optionId: string): Promise<Response> {
    return this.hub.post(`${this.path}/permissions/${permissionId}`, { optionId })
  }

  async summaryNow(): Promise<SessionSummary> {
    return this.hub.get<SessionSummary>(this.path)
  }
}

/** A data directory, and a workspace with one repository. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-hub-')))
  makeRepository(join(folder, 'workspace', 'shop-api'))
  emptyData.writeTo(join(folder, 'data'))
  return folder
}

const repository = new FolderImage((path) => {
  writeFileSync(join(path, 'README.md'), '# Shop\n\nA small shop.\n')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: path,
      stdio: 'ignore',
    })
  git('init', '--initial-branch=main', '--template=')
  git('add', '.')
  git('commit', '-m', 'first')
})

const emptyData = new FolderImage((path) => {
  const db = openDatabase(join(path, DATABASE_FILE), { durability: 'normal' })
  migrateUp(db)
  closeDatabase(db)
})

/** A repository with one commit on `main`. */
export function makeRepository(path: string): void {
  repository.writeTo(path)
}
