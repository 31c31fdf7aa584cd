// Hubs for the tests of people's terminals. Terminal hosts outlive a hub, so this file ends every host that a test has opened.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repo, Terminal } from '@quayside/protocol'
import { onTestFinished, TestRunner } from 'vitest'
import { terminalProcesses } from '../src/terminals/people/terminal-processes.js'
import { createLog } from '../src/log.js'
import {
  PeopleTerminals,
  type PeopleTerminalsOptions,
} from '../src/terminals/people/people-terminals.js'
import { type HubChild, startHubChild } from './hub-child.js'
import { processTable, untilNone } from './orphans-fixture.js'
import { TerminalFeed } from './terminal-feed.js'
import {
  makeRepository,
  startTestHub,
  type TestHub,
  type TestHubOptions,
  TOKEN,
} from './test-hub.js'

const log = createLog('silent')

/** The default terminal: a shell without a profile. */
export const PLAIN = { command: '/bin/sh', cols: 80, rows: 24 }

/** A hub in this process, with access to its terminals. */
export class TerminalHub implements AsyncDisposable {
  readonly hub: TestHub
  readonly #feeds: TerminalFeed[] = []

  private constructor(hub: TestHub) {
    this.hub = hub
  }

  static async start(options: TestHubOptions = {}): Promise<TerminalHub> {
    const hub = await startTestHub(options)
    // Also after a test that timed out and never reached its end; a hub for a whole file is disposed by a hook.
    if (TestRunner.getCurrentTest() !== undefined)
      onTestFinished(() => endAllTerminals(join(hub.folder, 'data')))
    return new TerminalHub(hub)
  }

  async create(input: Record<string, unknown> = {}): Promise<Terminal> {
    const repo = 'sessionId' in input ? {} : { repoId: (await this.hub.firstRepo()).id }
    const response = await this.hub.post('/api/terminals', { ...PLAIN, ...repo, ...input })
    if (response.status !== 201) throw new Error(await response.text())
    return (await response.json()) as Terminal
  }

  async list(): Promise<Terminal[]> {
    return (await this.hub.get<{ terminals: Terminal[] }>('/api/terminals')).terminals
  }

  close(id: string): Promise<Response> {
    return this.hub.fetch(`/api/terminals/${id}`, { method: 'DELETE' })
  }

  async closeAll(): Promise<void> {
    await Promise.all((await this.list()).map(({ id }) => this.close(id)))
  }

  async feed(): Promise<TerminalFeed> {
    const feed = await TerminalFeed.open(this.hub.hub.address)
    this.#feeds.push(feed)
    return feed
  }

  /** Opens a terminal and a client that follows it. */
  async open(input: Record<string, unknown> = {}): Promise<{ id: string; feed: TerminalFeed }> {
    const { id } = await this.create(input)
    const feed = await this.feed()
    await feed.follow(id)
    return { id, feed }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeAll()
    for (const feed of this.#feeds) feed.close()
    await this.hub[Symbol.asyncDispose]()
  }
}

/** A folder with a repository and a data directory; all its terminals are ended after the test. */
export function makeTerminalFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-terminals-')))
  makeRepository(join(folder, 'workspace', 'shop-api'))
  onTestFinished(async () => {
    await endAllTerminals(join(folder, 'data'))
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** PeopleTerminals on a folder of `makeTerminalFolder`. */
export function peopleTerminals(
  folder: string,
  options: Partial<PeopleTerminalsOptions> = {},
): PeopleTerminals {
  const path = join(folder, 'workspace', 'shop-api')
  const repos = { requireInsideRoot: () => ({ path, settings: {}, workspace: 'shared' as const }) }
  const processes = terminalProcesses(log)
  const dataDir = join(folder, 'data')
  const terminals = new PeopleTerminals({ dataDir, repos, processes, log, ...options })
  onTestFinished(() => terminals.close())
  return terminals
}

/** Ends all hosts of a folder. */
export async function endAllTerminals(dataDir: string): Promise<void> {
  const repos = {
    requireInsideRoot: () => ({ path: '/', settings: {}, workspace: 'shared' as const }),
  }
  const processes = terminalProcesses(log)
  const terminals = new PeopleTerminals({ dataDir, repos, processes, log })
  await terminals.findAll()
  await Promise.all(terminals.list().map(({ id }) => terminals.end(id)))
}

/** The built command as a child, in a folder of `makeTerminalFolder`. */
export async function startChildIn(folder: string): Promise<HubChild> {
  const hub = await startHubChild([], {
    QUAYSIDE_DATA_DIR: join(folder, 'data'),
    QUAYSIDE_TOKEN: TOKEN,
    AGENT_WORKSPACE_ROOT: join(folder, 'workspace'),
  })
  onTestFinished(() => void hub.process.kill('SIGKILL'))
  return hub
}

export async function askChild<T>(hub: HubChild, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${hub.address}${path}`, {
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as T
}

/** A plain shell in the only repository of a child hub. */
export async function openInChild(hub: HubChild): Promise<{ repo: Repo; terminal: Terminal }> {
  const { repos } = await askChild<{ repos: Repo[] }>(hub, '/api/repos/scan', {})
  const repo = repos[0]!
  const input = { ...PLAIN, repoId: repo.id }
  return { repo, terminal: await askChild<Terminal>(hub, '/api/terminals', input) }
}

export async function feedOf(hub: HubChild): Promise<TerminalFeed> {
  const feed = await TerminalFeed.open(hub.address)
  onTestFinished(() => feed.close())
  return feed
}

/** The process that owns a terminal's PTY. */
export function hostOf({ pid }: Terminal): number {
  return processTable().find((entry) => entry.pid === pid)!.ppid
}

export async function untilGone(pids: readonly number[]): Promise<void> {
  await untilNone(() =>
    processTable().filter(({ pid, isZombie }) => pids.includes(pid) && !isZombie),
  )
}
