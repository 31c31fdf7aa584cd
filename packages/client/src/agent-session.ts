// One session as a client holds it: prompts, answers to permissions, and its events from any point on.
import type { PromptAccepted, SessionEvent, SessionSummary } from '@quayside/protocol'
import type { Feed } from './feed.js'
import type { Http } from './http.js'
import { Turn } from './turn.js'

export type PromptOptions = {
  /** Made by the caller; a prompt that is sent twice with the same id is one turn. */
  readonly id?: string
}

export type EventsOptions = {
  /** The `seq` of the last event already seen; 0, or what `openSession` was given, when it is left out. */
  readonly after?: number
  readonly signal?: AbortSignal
}

type SessionParts = { readonly http: Http; readonly feed: Feed; readonly after: number }

export class AgentSession {
  readonly id: string
  /** The session as it was when it was opened; what happens later is in its events. */
  readonly info: SessionSummary
  readonly #parts: SessionParts

  constructor(info: SessionSummary, parts: SessionParts) {
    this.id = info.id
    this.info = info
    this.#parts = parts
  }

  /** Sends a prompt; it waits for its turn when another one runs. */
  prompt(text: string, options: PromptOptions = {}): Turn {
    return new Turn({
      accepted: this.#parts.http.post<PromptAccepted>(this.#path('/prompt'), { text, ...options }),
      follow: (after) => this.events({ after }),
      cancel: () => this.cancel(),
    })
  }

  /** Stops the running turn; the session stays open. */
  async cancel(): Promise<void> {
    await this.#parts.http.post(this.#path('/cancel'))
  }

  /** Answers an open permission. Throws `permission_not_pending` when someone else was faster. */
  async respond(permissionId: string, optionId: string): Promise<void> {
    await this.#parts.http.post(this.#path(`/permissions/${encodeURIComponent(permissionId)}`), {
      optionId,
    })
  }

  /** Past events after the cursor, then new ones as they happen; lost connections leave neither gap nor repeat. */
  events({ after = this.#parts.after, signal }: EventsOptions = {}): AsyncGenerator<SessionEvent> {
    return this.#parts.feed.follow(this.id, { after, signal })
  }

  #path(rest: string): string {
    return `/api/sessions/${encodeURIComponent(this.id)}${rest}`
  }
}
