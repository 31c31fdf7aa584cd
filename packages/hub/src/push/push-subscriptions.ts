// The push subscriptions of devices, stored with their credentials: at most one for each.
import { type PushSubscriptionBody, pushSubscriptionSchema } from '@quayside/protocol/schemas'
import type { CredentialStore, PushRow } from '../store/credential-store.js'
import { storageFailed } from '../store/storage-error.js'

export type Subscriber = PushSubscriptionBody & { readonly credentialId: string }

export class PushSubscriptions {
  readonly #store: CredentialStore

  constructor(store: CredentialStore) {
    this.#store = store
  }

  set(credentialId: string, subscription: PushSubscriptionBody): void {
    stored(() => {
      // A browser that signed in again keeps its endpoint and would be notified twice.
      const { endpoint } = subscription
      this.#store.setPush(credentialId, { endpoint, json: JSON.stringify(subscription) })
    })
  }

  remove(credentialId: string): void {
    stored(() => this.#store.removePush(credentialId))
  }

  find(credentialId: string): Subscriber | undefined {
    const row = this.#store.findPush(credentialId)
    return row && toSubscriber(row)
  }

  all(): Subscriber[] {
    return this.#store.listPush(Date.now()).map(toSubscriber)
  }
}

function toSubscriber({ credentialId, subscription }: PushRow): Subscriber {
  return { ...pushSubscriptionSchema.parse(JSON.parse(subscription)), credentialId }
}

function stored(write: () => void): void {
  try {
    write()
  } catch (cause) {
    throw storageFailed(cause)
  }
}
