// Shared by the ten stories: a hub with two repositories, four variants of the demo agent, and signed-in devices.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EventPage, Repo, SessionSummary } from '@quayside/protocol'
import type { Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { violationsOf } from '../accessible.js'
import { HubProcess, type Prepare } from '../hub-process.js'
import { openPage, type PageOptions, type WatchedPage } from '../test-browser.js'

export const TOKEN = 'a-token-for-the-stories-only'
/** Generous, because machines are busy. */
export const LONG = { timeout: 30_000 }
export const DESKTOP = { viewport: { width: 1440, height: 900 } }
export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}

const SHIPPED = new URL('../../../../extensions/extensions.json', import.meta.url)
const DEMO_AGENT = fileURLToPath(new URL('../../../demo-agent/bundle/main.js', import.meta.url))
const STATE = { QUAYSIDE_DEMO_STATE_DIR: '${DATA_DIR}/demo-agent' }
const AGENTS = [
  // It resumes by `session/load`, and its replay must not be shown twice.
  {
    id: 'fake',
    name: 'Fake agent',
    agent: agent({ ...STATE, QUAYSIDE_DEMO_CAPS: 'load,list,close' }),
  },
  { id: 'fake-legacy', name: 'Legacy agent', agent: agent({ QUAYSIDE_DEMO_CAPS: 'none' }) },
  {
    id: 'fake-missing',
    name: 'Missing agent',
    install: 'npm install -g fake-missing',
    agent: { command: 'fake-missing-agent' },
  },
  { id: 'fake-shared', name: 'Shared agent', agent: { ...agent(STATE), processModel: 'shared' } },
]

function agent(env: Readonly<Record<string, string>>) {
  return {
    command: '${NODE}',
    args: [DEMO_AGENT],
    env,
    inheritEnv: ['QUAYSIDE_DEMO_PACE'],
    services: ['fs', 'terminal'],
  }
}

export class Story {
  readonly hub: HubProcess

  private constructor(hub: HubProcess) {
    this.hub = hub
  }

  /** The hub ends after the pages of the test, so that reports of a failed test can use it. */
  static async begin(
    environment: Readonly<Record<string, string>> = {},
    prepare?: Prepare,
  ): Promise<Story> {
    const extensions = await writeExtensions()
    onTestFinished(() => rm(extensions, { recursive: true, force: true }))
    const all = {
      QUAYSIDE_EXTENSIONS: extensions,
      QUAYSIDE_AGENT: 'fake',
      QUAYSIDE_TOKEN: TOKEN,
      QUAYSIDE_DEMO_PACE: '0',
      AGENT_MAX_SESSIONS: '20',
      ...environment,
    }
    const hub = await HubProcess.start(['shop-api', 'web-store'], all, prepare)
    onTestFinished(() => hub[Symbol.asyncDispose]())
    return new Story(hub)
  }

  /** A signed-in device of its own. */
  async open(path: string, options: PageOptions): Promise<WatchedPage> {
    const watched = await openPage(this.hub.origin, options)
    const { code } = await this.call<{ code: string }>('POST', '/api/login-codes', {})
    await watched.page.goto(`${this.hub.origin}${path}#code=${code}`)
    return watched
  }

  /** A session, and its page on a device of its own. */
  async openSession(
    options: PageOptions,
    { agent = 'fake', repo = 'shop-api' } = {},
  ): Promise<WatchedPage & { readonly id: string }> {
    const { id } = await this.newSession(agent, repo)
    const watched = await this.open(`/s/${id}`, options)
    await watched.page.getByTestId('status-pill').waitFor()
    return { ...watched, id }
  }

  async newSession(extensionId: string, repoName: string): Promise<SessionSummary> {
    const { repos } = await this.call<{ repos: Repo[] }>('GET', '/api/repos')
    const repoId = repos.find(({ name }) => name === repoName)?.id
    return this.call('POST', '/api/sessions', { repoId, extensionId })
  }

  /** All events of a session. */
  async events(id: string): Promise<EventPage['events']> {
    const found = []
    for (let after = 0; ; after = found.at(-1)?.seq ?? after) {
      const path = `/api/sessions/${id}/events?after=${after}`
      const { events, lastSeq } = await this.call<EventPage>('GET', path)
      found.push(...events)
      if ((found.at(-1)?.seq ?? lastSeq) >= lastSeq) return found
    }
  }

  async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await this.fetch(method, path, body)
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.json() as Promise<Answer>
  }

  fetch(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return fetch(`${this.hub.origin}${path}`, init)
  }
}

export async function send(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer-input').fill(text)
  await page.getByTestId('send').click()
}

/** A complete answer of the agent. */
export function said(page: Page, text: string): Locator {
  return page.getByTestId('msg-agent').getByText(text, { exact: true })
}

export function status(page: Page, words: string): Promise<void> {
  return page.getByTestId('status-pill').getByText(words, { exact: true }).waitFor()
}

/** Records each text that an element shows, also for a moment; returns a function that reads them. */
export async function recordTexts(page: Page, selector: string): Promise<() => Promise<string[]>> {
  await page.evaluate((wanted) => {
    const texts = new Set<string>()
    const look = () => {
      for (const { textContent } of document.querySelectorAll(wanted)) texts.add(textContent)
    }
    look()
    Reflect.set(globalThis, wanted, texts)
    const all = { childList: true, characterData: true, subtree: true }
    new MutationObserver(look).observe(document.body, all)
  }, selector)
  return () =>
    page.evaluate((wanted) => [...(Reflect.get(globalThis, wanted) as Set<string>)], selector)
}

export async function violationsIn(...pages: readonly Page[]): Promise<string[]> {
  const found: string[] = []
  for (const page of pages) found.push(...(await violationsOf(page)))
  return found
}

/** Only the agents of the stories. */
async function writeExtensions(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-stories-'))
  const shipped = JSON.parse(await readFile(SHIPPED, 'utf8')) as { extensions: object[] }
  const extensions = [
    ...AGENTS.map(({ id, name }) => ({ id, name, type: 'acp', path: `acp/${id}`, enabled: true })),
    ...shipped.extensions.map((extension) => ({ ...extension, enabled: false })),
  ]
  await writeFile(join(folder, 'extensions.json'), JSON.stringify({ extensions }))
  for (const manifest of AGENTS) {
    const target = join(folder, 'acp', manifest.id)
    await mkdir(target, { recursive: true })
    await writeFile(join(target, 'manifest.json'), JSON.stringify({ type: 'acp', ...manifest }))
  }
  return folder
}
