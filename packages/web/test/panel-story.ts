// Shared by the tests of the side panels: a session in a repository with content, and all its panels.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { HubProcess } from './hub-process.js'
import { ReusedPages, type ReusedOptions } from './reused-pages.js'
import type { WatchedPage } from './test-browser.js'

export const HOSTILE_NAME = 'src/\u202Egpj.<img src=x onerror=alert(1)>.ts'
export const HOSTILE_TEXT =
  '<script>document.title="owned"</script>\nconst hidden = "\u202E\u0007"\n'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAFElEQVR4nGP8z8DwnwEJMDGgAcICABp9AQfvL0WFAAAAAElFTkSuQmCC'
const SHOP = `// The shop's prices.
import { round } from './round.ts'

export type Price = { readonly cents: number; readonly currency: 'EUR' | 'USD' }

/** With tax, rounded to whole cents. */
export function withTax({ cents, currency }: Price, rate = 0.19): Price {
  return { cents: round(cents * (1 + rate)), currency }
}
`

/** The lines of `long.txt`, which every repository of a story has. */
export const LONG_LINES: readonly string[] = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`)

const EXTENSIONS = fileURLToPath(new URL('../../hub/test/extensions', import.meta.url))

/** A hub for all tests of a file, which go on in the same page. Each test has its own repository and session. */
export class PanelStage {
  readonly #pages: ReusedPages
  #hub: HubProcess | undefined
  #stories = 0

  constructor() {
    beforeAll(async () => {
      this.#hub = await HubProcess.start(['first'], { QUAYSIDE_EXTENSIONS: EXTENSIONS })
    }, 180_000)
    afterAll(() => this.#hub?.[Symbol.asyncDispose]())
    // The last hook runs first.
    this.#pages = new ReusedPages()
  }

  async begin(options: ReusedOptions, agent = 'demo'): Promise<PanelStory> {
    const hub = this.#hub!
    this.#stories += 1
    const name = `shop-${this.#stories}`
    const repo = join(hub.root, name)
    await cp(join(hub.root, 'first'), repo, { recursive: true })
    await mkdir(join(repo, 'src'))
    await writeFile(join(repo, 'src/prices.ts'), SHOP)
    await writeFile(join(repo, 'long.txt'), `${LONG_LINES.join('\n')}\n`)
    await writeFile(join(repo, HOSTILE_NAME), HOSTILE_TEXT)
    await writeFile(join(repo, 'flag.png'), Buffer.from(PNG, 'base64'))
    await writeFile(join(repo, 'tool.bin'), Buffer.from([1, 0, 2]))
    await hub.call('POST', '/api/repos/scan')
    const { id } = await hub.newSession(name, agent)
    // Answers when the session's own snapshot is kept: files that a test writes before it would be no changes.
    await hub.call('GET', `/api/sessions/${id}/changes?patches=false`)
    const signedIn = { ...options, storageState: await hub.signIn() }
    const watched = await this.#pages.open(hub.origin, `/s/${id}`, signedIn)
    await watched.page.getByText('is ready. What').waitFor()
    return new PanelStory(watched, repo)
  }
}

/** A page on a new session; the session and its terminals end with the story. */
export class PanelStory implements AsyncDisposable {
  readonly page: Page
  readonly faults: readonly string[]
  readonly repo: string

  constructor({ page, faults }: WatchedPage, repo: string) {
    this.page = page
    this.faults = faults
    this.repo = repo
  }

  async send(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Message to the agent' }).fill(text)
    await this.page.getByRole('button', { name: 'Send', exact: true }).click()
  }

  /** The agent edits the file, and the turn ends. */
  async edit(path: string): Promise<void> {
    await this.send(`edit ${path}`)
    await this.allow()
    await this.page.locator('header').getByText('Idle').waitFor()
  }

  async allow(): Promise<void> {
    const decision = this.page.getByRole('region', { name: 'Needs your decision' })
    await decision.getByRole('button', { name: 'Allow', exact: false }).first().click()
    await decision.waitFor({ state: 'detached' })
  }

  /** Closes a panel that covers the conversation. */
  async leavePanel(): Promise<void> {
    const back = this.page.getByRole('button', { name: 'Back to the conversation' })
    if (await back.isVisible()) await back.click()
  }

  async openPanel(tab: 'Changes' | 'Terminals' | 'Files' | 'Wire'): Promise<void> {
    const toggle = this.page.getByRole('button', { name: 'Open the side panel' })
    const button = this.page.getByRole('tab', { name: tab })
    // Right after a load neither is rendered yet.
    await toggle.or(button).first().waitFor()
    if (await toggle.isVisible()) await toggle.click()
    await button.click()
    await this.page.getByRole('tabpanel', { name: tab }).waitFor()
  }

  /** All lines on the screen of the terminal. */
  async screen(): Promise<string> {
    const rows = await this.page.locator('.xterm-rows > div').allInnerTexts()
    return rows.map((row) => row.replaceAll('\u00A0', ' ').trimEnd()).join('\n')
  }

  /** In one piece, because each key would cost a round trip. */
  async type(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Terminal input' }).focus()
    await this.page.keyboard.insertText(text)
    await this.page.keyboard.press('Enter')
  }

  /** Waits for a row of the terminal with this text. */
  async printed(text: string | RegExp): Promise<void> {
    await this.page.locator('.xterm-rows > div', { hasText: text }).last().waitFor()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.evaluate(endAll).catch(() => {})
  }
}

/** Adds the texts that the page sends to terminals. */
export function recordTyped(page: Page, typed: string[]): void {
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const { method, params } = JSON.parse(String(payload)) as {
        method?: string
        params?: { data?: string }
      }
      if (method === 'terminal/input') typed.push(params?.data ?? '')
    }),
  )
}

/** Runs in the page. Terminals outlive a hub, and sessions a page, so the test ends them. */
async function endAll(): Promise<void> {
  const answer = await fetch('/api/terminals')
  const { terminals } = (await answer.json()) as { terminals: { id: string }[] }
  const ended = terminals.map(({ id }) => `/api/terminals/${id}`)
  const [, , sessionId] = location.pathname.split('/')
  const session = `/api/sessions/${sessionId}`
  await Promise.all([...ended, session].map((path) => fetch(path, { method: 'DELETE' })))
}
