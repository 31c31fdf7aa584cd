// The push subscriptions of devices, stored with their credentials: at most one for each.
import { type PushSubscriptionBody, pushSubscriptionSchema } from '@quayside/protocol/schemas'
import type { CredentialStore, PushRow } from '../store/credential-store.js'
import type { MaybePromise } from '../store/maybe-promise.js'
import { storageFailed } from '../store/storage-error.js'

export type Subscriber = PushSubscriptionBody & { readonly credentialId: string }

export class PushSubscriptions {
  readonly #store: CredentialStore

  constructor(store: CredentialStore) {
    this.#store = store
  }

  set(credentialId: string, subscription: PushSubscriptionBody): Promise<void> {
    // A browser that signed in again keeps its endpoint and would be notified twice.
    const { endpoint } = subscription
    const push = { endpoint, json: JSON.stringify(subscription) }
    return stored(() => this.#store.setPush(credentialId, push))
  }

  remove(credentialId: string): Promise<void> {
    return stored(() => this.#store.removePush(credentialId))
  }

  async find(credentialId: string): Promise<Subscriber | undefined> {
    const row = await this.#store.findPush(credentialId)
    return row && toSubscriber(row)
  }

  async all(): Promise<Subscriber[]> {
    return (await this.#store.listPush(Date.now())).map(toSubscriber)
  }
}

function toSubscriber({ credentialId, subscription }: PushRow): Subscriber {
  return { ...pushSubscriptionSchema.parse(JSON.parse(subscription)), credentialId }
}

async function stored(write: () => MaybePromise<void>): Promise<void> {
  try {
    await write()
  } catch (cause) {
    throw storageFailed(cause)
  }
}
