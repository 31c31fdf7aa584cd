// A hub as a child process that a test attacks, with a session beside the attack whose every event is remembered,
// and secrets that no answer may contain.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventPage, Repo, SessionEvent, SessionSummary, Terminal } from '@quayside/protocol'
import { openHubId } from '../../src/process/process-tag.js'
import { tagged, untilNone } from '../orphans-fixture.js'
import { TestFeed } from '../test-feed.js'
import { makeRepository, TOKEN } from '../test-hub.js'
import { KillableHub } from '../torture/killable-hub.js'

export const CANARY = 'CANARY-c0ffee-outside'
/** Log lines that no input may cause. */
const FAULT = /unhandled|uncaught|TypeError|ReferenceError|RangeError|commit failed/i
/** The ACP SDK repeats a refused message to its sender. One that is too deep for that closes the sender's connection. */
const CLOSES_ITS_CLIENT = /Failed to send ACP WebSocket message/
const SHOWN_FAULTS = 5

export type SiegeOptions = {
  readonly mutant?: string | undefined
  readonly env?: Readonly<Record<string, string>>
}

export type AttackPlan = {
  readonly count: number
  /** Ends the attack early, once a mutant is caught. */
  readonly isOver?: () => boolean
}

const AT_ONCE = 12
const ATTACKS_PER_BEAT = 240

export class Siege implements AsyncDisposable {
  readonly folder: string
  readonly repo: Repo
  readonly failures: string[] = []
  readonly #hub: KillableHub
  readonly #address: string
  readonly #secrets: readonly string[]
  readonly #shadow: { readonly id: string; readonly feed: TestFeed }
  #beats = 0
  #isGone = false

  private constructor(parts: Parts) {
    this.folder = parts.folder
    this.repo = parts.repo
    this.#hub = parts.hub
    this.#address = parts.address
    this.#shadow = parts.shadow
    const { localToken } = JSON.parse(
      readFileSync(join(parts.folder, 'data', 'hub.json'), 'utf8'),
    ) as { localToken: string }
    this.#secrets = [CANARY, TOKEN, localToken]
    void this.#hub.gone().then(() => (this.#isGone = true))
  }

  static async open({ mutant, env = {} }: SiegeOptions = {}): Promise<Siege> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-siege-')))
    makeRepository(join(folder, 'workspace', 'shop-api'))
    writeFileSync(join(folder, 'outside.txt'), CANARY)
    const settings = {
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_TOKEN: TOKEN,
      QUAYSIDE_LOG_LEVEL: 'warn',
      QUAYSIDE_DEMO_PACE: '0',
      QUAYSIDE_DURABILITY: 'normal',
      AGENT_WORKSPACE_ROOT: join(folder, 'workspace'),
      AGENT_MAX_SESSIONS: '20',
      AGENT_START_TIMEOUT: '3',
      AN_UNRELATED_SECRET: CANARY,
      ...env,
    }
    const hub = new KillableHub({ mutant, env: settings })
    const address = await hub.ready
    const { repos } = await call<{ repos: Repo[] }>(address, 'POST', '/api/repos/scan', {})
    const input = { repoId: repos[0]!.id, extensionId: 'demo' }
    const { id } = await call<SessionSummary>(address, 'POST', '/api/sessions', input)
    const feed = await TestFeed.open(address, id, 0)
    return new Siege({ folder, repo: repos[0]!, hub, address, shadow: { id, feed } })
  }

  get address(): string {
    return this.#address
  }

  get port(): number {
    return Number(new URL(this.#address).port)
  }

  get isGone(): boolean {
    return this.#isGone
  }

  get pid(): number {
    return this.#hub.pid
  }

  get output(): string {
    return this.#hub.output
  }

  call<T>(method: string, path: string, body?: unknown): Promise<T> {
    return call<T>(this.#address, method, path, body)
  }

  /** A session for the attack to use. */
  async openVictim(): Promise<string> {
    const input = { repoId: this.repo.id, extensionId: 'demo' }
    return (await this.call<SessionSummary>('POST', '/api/sessions', input)).id
  }

  /** Runs the attack that many times, some at once, with a turn of the session beside every now and then. */
  async endure(plan: AttackPlan, attack: () => Promise<void>): Promise<void> {
    const { count, isOver = () => this.#isGone } = plan
    for (let done = 0; done < count && !isOver(); done += ATTACKS_PER_BEAT) {
      let left = Math.min(ATTACKS_PER_BEAT, count - done)
      const lane = async (): Promise<void> => {
        while (left > 0 && !isOver()) {
          left -= 1
          await attack()
        }
      }
      await Promise.all([this.beat(), ...Array.from({ length: AT_ONCE }, lane)])
    }
  }

  /** One turn of the session beside the attack. */
  async beat(): Promise<void> {
    const text = `echo beat ${this.#beats};`
    this.#beats += 1
    const path = `/api/sessions/${this.#shadow.id}/prompt`
    const { turnId } = await this.call<{ turnId: string }>('POST', path, { text })
    await this.#shadow.feed.until('turn.ended', (data) => data.turnId === turnId)
  }

  /** Notes an answer that contains a secret. */
  inspect(answer: string, about: () => string): void {
    const found = this.#secrets.find((secret) => answer.includes(secret))
    if (found !== undefined) this.failures.push(`an answer contains ${found}: ${about()}`)
  }

  /** Everything that the attack has harmed. Stops the hub. */
  async end(): Promise<string[]> {
    if (this.#isGone) return [...this.failures, `the hub has died: ${this.output.slice(-2_000)}`]
    await this.beat()
    await this.#compareShadow()
    const { terminals } = await this.call<{ terminals: Terminal[] }>('GET', '/api/terminals')
    for (const { id } of terminals) await this.call('DELETE', `/api/terminals/${id}`)
    const faults = this.output
      .split('\n')
      .filter((line) => FAULT.test(line) && !CLOSES_ITS_CLIENT.test(line))
    this.failures.push(...faults.slice(0, SHOWN_FAULTS).map((line) => `the hub logged ${line}`))
    // The cause of an internal error is in the log only.
    if (this.failures.length > 0)
      this.failures.push(...this.output.split('\n').filter(isError).slice(0, SHOWN_FAULTS))
    this.#shadow.feed.close()
    this.#hub.stop()
    await this.#hub.gone()
    await untilNone(() => tagged(openHubId(join(this.folder, 'data'))))
    return this.failures
  }

  async #compareShadow(): Promise<void> {
    const { id, feed } = this.#shadow
    const said = Array.from({ length: this.#beats }, (_, beat) => `beat ${beat};`).join('')
    if (feed.text() !== said) this.failures.push(`the session beside said ${feed.text()}`)
    const stored: SessionEvent[] = []
    for (;;) {
      const path = `/api/sessions/${id}/events?after=${stored.length}`
      const { events } = await this.call<EventPage>('GET', path)
      if (events.length === 0) break
      stored.push(...events)
    }
    if (JSON.stringify(stored) !== JSON.stringify(feed.events))
      this.failures.push('the stored events of the session beside are not those that were sent')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shadow.feed.close()
    this.#hub.kill()
    await this.#hub.gone()
    await untilNone(() => tagged(openHubId(join(this.folder, 'data'))))
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

/** By the level in its JSON. */
function isError(line: string): boolean {
  return line.startsWith('{"level":50')
}

type Parts = {
  readonly folder: string
  readonly repo: Repo
  readonly hub: KillableHub
  readonly address: string
  readonly shadow: { readonly id: string; readonly feed: TestFeed }
}

async function call<T>(address: string, ...[method, path, body]: Call): Promise<T> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

type Call = [method: string, path: string, body?: unknown]
