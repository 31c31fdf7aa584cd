// A client that follows one session at one hub, and connects again after its last event whenever the stream ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { TOKEN } from '../../test-hub.js'
import type { Cursor, Shadow, SessionShadow } from '../shadow.js'
import type { StagedHub } from './staged-hub.js'

const PAUSE_MS = 50

export class Watcher {
  readonly hub: StagedHub
  readonly session: SessionShadow
  readonly #shadow: Shadow
  readonly #cursor: Cursor
  readonly #over = new AbortController()

  constructor(shadow: Shadow, session: SessionShadow, hub: StagedHub) {
    this.#shadow = shadow
    this.session = session
    this.hub = hub
    this.#cursor = { reader: `at ${hub.name}`, after: 0 }
  }

  /** The last event that it has got. */
  get lastSeq(): number {
    return this.#cursor.after
  }

  /** Until `stop`. */
  async run(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#stream().catch(() => undefined)
      await sleep(PAUSE_MS)
    }
  }

  stop(): void {
    this.#over.abort()
  }

  async #stream(): Promise<void> {
    const { address } = this.hub
    if (address === undefined) return
    const response = await fetch(`${address}/api/sessions/${this.session.id}/events`, {
      headers: {
        authorization: `Bearer ${TOKEN}`,
        accept: 'text/event-stream',
        'last-event-id': String(this.#cursor.after),
      },
      signal: this.#over.signal,
    })
    if (!response.ok || !response.body) return
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const records = (text + chunk).split('\n\n')
      text = records.pop() ?? ''
      for (const record of records) this.#take(/^data: (.*)$/m.exec(record)?.[1])
    }
  }

  #take(json: string | undefined): void {
    if (json === undefined) return
    const { type, data } = this.#shadow.see(this.session, this.#cursor, json)
    if (type === 'turn.ended') this.session.ended.add(data.turnId)
  }
}
