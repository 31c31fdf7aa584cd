// Tells devices of news, those whose pages nobody sees: a session needs someone, is done, or broke down.
import { setTimeout as sleep } from 'node:timers/promises'
import { type AlertKind, alertFor, type AlertState, type SessionSummary } from '@quayside/protocol'
import { type Log, logRejection } from '../log.js'
import type { EventLog } from '../sessions/log/event-log.js'
import type { SessionLister } from '../sessions/reading/session-list.js'
import type { PushMessage, PushSender } from './push-sender.js'
import type { PushSubscriptions, Subscriber } from './push-subscriptions.js'
import type { VisiblePages } from './visible-pages.js'

export type PushNotifierDeps = {
  readonly eventLog: EventLog
  readonly lister: SessionLister
  readonly subscriptions: PushSubscriptions
  readonly visiblePages: VisiblePages
  readonly sender: PushSender
  readonly log: Log
}

/** What is over again within this time is no news: a turn that ends because the next one begins, or the agent died. */
const PAUSE_MS = 1_000

export class PushNotifier {
  readonly #deps: PushNotifierDeps
  /** Of sessions that are active. */
  readonly #known = new Map<string, AlertState>()
  readonly #changed = new Set<string>()
  readonly #stopListening: () => void
  #isLooking = false

  constructor(deps: PushNotifierDeps) {
    this.#deps = deps
    this.#stopListening = deps.eventLog.onChange((sessionId) => this.#note(sessionId))
  }

  /** What happens from now on is told to nobody. */
  close(): void {
    this.#stopListening()
    this.#changed.clear()
  }

  #note(sessionId: string): void {
    this.#changed.add(sessionId)
    if (this.#isLooking) return
    this.#isLooking = true
    logRejection(this.#deps.log, 'looking for news', this.#look())
  }

  async #look(): Promise<void> {
    try {
      while (this.#changed.size > 0) {
        await sleep(PAUSE_MS, undefined, { ref: false })
        const ids = [...this.#changed]
        this.#changed.clear()
        for (const id of ids) await this.#compare(id)
      }
    } finally {
      this.#isLooking = false
    }
  }

  async #compare(id: string): Promise<void> {
    const now = await this.#deps.lister.find(id)
    const kind = now && alertFor(this.#known.get(id), now)
    if (now?.status === 'active') this.#known.set(id, now)
    else this.#known.delete(id)
    if (now && kind) this.#tell(kind, now)
  }

  #tell(kind: AlertKind, { id, title }: SessionSummary): void {
    const { subscriptions, visiblePages, log } = this.#deps
    const message = { kind, sessionId: id, title: title ?? '' }
    const told = subscriptions
      .all()
      .filter(({ kinds, credentialId }) => kinds.includes(kind) && !visiblePages.has(credentialId))
    for (const subscriber of told)
      logRejection(log, 'sending a notification', this.#send(subscriber, message))
  }

  async #send(subscriber: Subscriber, message: PushMessage): Promise<void> {
    const { sender, subscriptions } = this.#deps
    const outcome = await sender.send(subscriber, message)
    if (outcome === 'gone') subscriptions.remove(subscriber.credentialId)
  }
}
