// What the tests of the side panels share: a session in a repository that is worth looking at, and every panel of it.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { HubProcess } from './hub-process.js'
import { openPage, type WatchedPage } from './test-browser.js'

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

/** A page on a fresh session; its terminals are closed with it. */
export class PanelStory implements AsyncDisposable {
  readonly hub: HubProcess
  readonly page: Page
  readonly faults: readonly string[]

  private constructor(hub: HubProcess, { page, faults }: WatchedPage) {
    this.hub = hub
    this.page = page
    this.faults = faults
  }

  static async begin(browser: Browser, options: BrowserContextOptions): Promise<PanelStory> {
    const hub = await HubProcess.start(['shop-api'])
    try {
      const repo = join(hub.root, 'shop-api')
      await mkdir(join(repo, 'src'))
      await writeFile(join(repo, 'src/prices.ts'), SHOP)
      await writeFile(join(repo, HOSTILE_NAME), HOSTILE_TEXT)
      await writeFile(join(repo, 'flag.png'), Buffer.from(PNG, 'base64'))
      await writeFile(join(repo, 'tool.bin'), Buffer.from([1, 0, 2]))
      const story = new PanelStory(hub, await openPage(browser, hub.origin, options))
      await story.#startSession()
      return story
    } catch (error) {
      await hub[Symbol.asyncDispose]()
      throw error
    }
  }

  get repo(): string {
    return join(this.hub.root, 'shop-api')
  }

  async #startSession(): Promise<void> {
    const { page } = this
    await page.goto(this.hub.address)
    await page.getByRole('button', { name: 'Start a session in shop-api' }).click()
    await page.getByText('Demo agent is ready. What').waitFor()
  }

  async send(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Message to the agent' }).fill(text)
    await this.page.getByRole('button', { name: 'Send' }).click()
  }

  /** The agent edits the file, and the turn is over. */
  async edit(path: string): Promise<void> {
    await this.send(`edit ${path}`)
    const decision = this.page.getByRole('region', { name: 'Decision needed' })
    await decision.getByRole('button', { name: 'Allow', exact: false }).first().click()
    await decision.waitFor({ state: 'detached' })
    await this.page.locator('header').getByText('Idle').waitFor()
  }

  async openPanel(tab: 'Changes' | 'Terminals' | 'Files' | 'Wire'): Promise<void> {
    const toggle = this.page.getByRole('button', { name: 'Open the side panel' })
    if (await toggle.isVisible()) await toggle.click()
    await this.page.getByRole('tab', { name: tab }).click()
    await this.page.getByRole('tabpanel', { name: tab }).waitFor()
  }

  /** Everything that the screen of the terminal shows, line after line. */
  async screen(): Promise<string> {
    const rows = await this.page.locator('.xterm-rows > div').allInnerTexts()
    return rows.map((row) => row.replaceAll('\u00A0', ' ').trimEnd()).join('\n')
  }

  async type(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Terminal input' }).focus()
    await this.page.keyboard.type(text)
    await this.page.keyboard.press('Enter')
  }

  /** Waits for a row of the terminal with this text. */
  async printed(text: string): Promise<void> {
    await this.page.locator('.xterm-rows > div', { hasText: text }).last().waitFor()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.evaluate(closeTerminals).catch(() => {})
    await this.page.context().close()
    await this.hub[Symbol.asyncDispose]()
  }
}

/** In the page: terminals outlive a hub, so whoever opens one closes it. */
async function closeTerminals(): Promise<void> {
  const answer = await fetch('/api/terminals')
  const { terminals } = (await answer.json()) as { terminals: { id: string }[] }
  await Promise.all(terminals.map(({ id }) => fetch(`/api/terminals/${id}`, { method: 'DELETE' })))
}
