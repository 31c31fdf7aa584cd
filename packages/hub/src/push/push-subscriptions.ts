// The push subscriptions of devices, stored with their credentials: at most one for each.
import { type PushSubscriptionBody, pushSubscriptionSchema } from '@quayside/protocol/schemas'
import { HubError } from '../errors.js'
import type { Database } from '../store/database.js'

export type Subscriber = PushSubscriptionBody & { readonly credentialId: string }

type Row = { readonly id: string; readonly pushSubscription: string }

export class PushSubscriptions {
  readonly #set
  readonly #forget
  readonly #find
  readonly #list

  constructor(db: Database) {
    this.#set = db.prepare('UPDATE Credential SET pushSubscription = :text WHERE id = :id')
    this.#forget = db.prepare(
      `UPDATE Credential SET pushSubscription = NULL WHERE pushSubscription ->> '$.endpoint' = ?`,
    )
    const columns = 'SELECT id, pushSubscription FROM Credential WHERE pushSubscription IS NOT NULL'
    this.#find = db.prepare(`${columns} AND id = ?`)
    this.#list = db.prepare(`${columns} AND (expiresAt IS NULL OR expiresAt > ?)`)
  }

  set(credentialId: string, subscription: PushSubscriptionBody): void {
    stored(() => {
      // A browser that was signed in again keeps its endpoint and would be notified twice.
      this.#forget.run(subscription.endpoint)
      this.#set.run({ id: credentialId, text: JSON.stringify(subscription) })
    })
  }

  remove(credentialId: string): void {
    stored(() => this.#set.run({ id: credentialId, text: null }))
  }

  find(credentialId: string): Subscriber | undefined {
    const row = this.#find.get(credentialId) as Row | undefined
    return row && toSubscriber(row)
  }

  all(): Subscriber[] {
    return (this.#list.all(Date.now()) as Row[]).map(toSubscriber)
  }
}

function toSubscriber({ id, pushSubscription }: Row): Subscriber {
  return { ...pushSubscriptionSchema.parse(JSON.parse(pushSubscription)), credentialId: id }
}

function stored(write: () => void): void {
  try {
    write()
  } catch (cause) {
    throw new HubError('storage_failed', {}, { cause })
  }
}
