// Sends a push notification to devices without a visible page when a session needs someone, is done, or has failed.
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

/** A state that changes again within this time causes no alert, such as a turn that ends because the next one begins. */
const PAUSE_MS = 1_000

export class PushNotifier {
  readonly #deps: PushNotifierDeps
  /** The last known state of active sessions. */
  readonly #known = new Map<string, AlertState>()
  readonly #changed = new Set<string>()
  readonly #stopListening: () => void
  #isChecking = false

  constructor(deps: PushNotifierDeps) {
    this.#deps = deps
    this.#stopListening = deps.eventLog.onChange((sessionId) => this.#note(sessionId))
  }

  /** No later event causes a notification. */
  close(): void {
    this.#stopListening()
    this.#changed.clear()
    this.#deps.visiblePages.close()
  }

  #note(sessionId: string): void {
    this.#changed.add(sessionId)
    if (this.#isChecking) return
    this.#isChecking = true
    logRejection(this.#deps.log, 'checking for alerts', this.#check())
  }

  async #check(): Promise<void> {
    try {
      while (this.#changed.size > 0) {
        await sleep(PAUSE_MS, undefined, { ref: false })
        const ids = [...this.#changed]
        this.#changed.clear()
        for (const id of ids) await this.#compare(id)
      }
    } finally {
      this.#isChecking = false
    }
  }

  async #compare(id: string): Promise<void> {
    const now = await this.#deps.lister.find(id)
    const kind = now && alertFor(this.#known.get(id), now)
    if (now?.status === 'active') this.#known.set(id, now)
    else this.#known.delete(id)
    if (now && kind) await this.#notify(kind, now)
  }

  async #notify(kind: AlertKind, { id, title }: SessionSummary): Promise<void> {
    const { subscriptions, visiblePages, log } = this.#deps
    const message = { kind, sessionId: id, title: title ?? '' }
    const all = await subscriptions.all()
    const visible = await visiblePages.all()
    const subscribers = all.filter(
      ({ kinds, credentialId }) => kinds.includes(kind) && !visible.has(credentialId),
    )
    for (const subscriber of subscribers)
      logRejection(log, 'sending a notification', this.#send(subscriber, message))
  }

  async #send(subscriber: Subscriber, message: PushMessage): Promise<void> {
    const { sender, subscriptions } = this.#deps
    const outcome = await sender.send(subscriber, message)
    if (outcome === 'gone') await subscriptions.remove(subscriber.credentialId)
  }
}
