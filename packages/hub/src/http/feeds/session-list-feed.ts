// Notifies one socket of the rows of the session list that changed: whole rows, a few times a second at most.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawDeps } from '../../api/room.js'
import { logRejection } from '../../log.js'
import type { FeedSocket } from './feed-socket.js'

type SessionListFeedDeps = Pick<RawDeps, 'eventLog' | 'lister' | 'cluster' | 'log'>

const PAUSE_MS = 200
const MAX_ROWS = 200

export class SessionListFeed {
  readonly #socket: FeedSocket
  readonly #deps: SessionListFeedDeps
  readonly #changed = new Set<string>()
  #isSending = false

  /** Until the socket closes. */
  constructor(socket: FeedSocket, deps: SessionListFeedDeps) {
    this.#socket = socket
    this.#deps = deps
    const note = (sessionId: string): void => this.#note(sessionId)
    socket.closed.addEventListener('abort', deps.eventLog.onChange(note))
    const stop = deps.cluster?.elsewhere.onChange(note)
    if (stop) socket.closed.addEventListener('abort', stop)
  }

  #note(sessionId: string): void {
    this.#changed.add(sessionId)
    if (this.#isSending) return
    this.#isSending = true
    logRejection(this.#deps.log, 'sending changed sessions', this.#send())
  }

  /** Changes while a client is slow are sent once, with the latest rows. */
  async #send(): Promise<void> {
    const { closed } = this.#socket
    while (this.#changed.size > 0 && !closed.aborted) {
      const ids = [...this.#changed].slice(0, MAX_ROWS)
      for (const id of ids) this.#changed.delete(id)
      await this.#socket.notify({ method: 'sessions/changed', params: await this.#read(ids) })
      await sleep(PAUSE_MS)
    }
    this.#isSending = false
  }

  async #read(ids: readonly string[]) {
    const sessions = await this.#deps.lister.findAll(ids)
    const found = new Set(sessions.map(({ id }) => id))
    return { sessions, removed: ids.filter((id) => !found.has(id)) }
  }
}
