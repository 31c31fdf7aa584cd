// Looks at the owners of sessions in the database all the time: an epoch has one owner, and events never go back to an earlier epoch.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Shadow } from '../shadow.js'

const LOOK_MS = 100

type OwnerRow = {
  readonly id: string
  readonly owner: string | null
  readonly epoch: number
  /** The name of the owner. */
  readonly name: string | null
}

const OWNERS = `SELECT s."id", s."owner", s."epoch", h."name" FROM "AgentSession" AS s LEFT JOIN "Hub" AS h ON h."id" = s."owner"`

export class Owners {
  readonly #url: () => string
  readonly #shadow: Shadow
  readonly #seen = new Map<string, string>()
  #isOver = false
  #rows: readonly OwnerRow[] = []
  #looks = 0

  /** The address follows the primary. */
  constructor(url: () => string, shadow: Shadow) {
    this.#url = url
    this.#shadow = shadow
  }

  get looks(): number {
    return this.#looks
  }

  /** Until `stop`; a database that is away is looked at again. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      await this.#look().catch(() => undefined)
      await sleep(LOOK_MS)
    }
  }

  stop(): void {
    this.#isOver = true
  }

  /** The sessions of a hub with their epochs, as they were seen last. */
  ownedBy(name: string): readonly { readonly id: string; readonly epoch: number }[] {
    return this.#rows.filter((row) => row.name === name)
  }

  epochOf(sessionId: string): number {
    return this.#rows.find(({ id }) => id === sessionId)?.epoch ?? 0
  }

  async #look(): Promise<void> {
    const client = new Client(this.#url())
    client.on('error', () => undefined)
    await client.connect()
    try {
      while (!this.#isOver) {
        const { rows } = await client.query<OwnerRow>(OWNERS)
        this.#rows = rows
        this.#looks += 1
        for (const row of rows) this.#compare(row)
        await sleep(LOOK_MS)
      }
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  #compare({ id, owner, epoch }: OwnerRow): void {
    if (owner === null) return
    const key = `${id} ${epoch}`
    const known = this.#seen.get(key) ?? owner
    this.#seen.set(key, owner)
    if (known !== owner)
      this.#shadow.blame('owners', `session ${id}, epoch ${epoch}: ${known} and ${owner}`)
  }
}
