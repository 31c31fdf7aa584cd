// The prompts of a session that wait for their turn. Each change answers with the queue as it is then.
import type { QueuedPrompt, Repo } from '@quayside/protocol'
import type { Http, Request } from './http.js'
import { blocksOf, type PromptInput } from './prompt-input.js'

type Queue = readonly QueuedPrompt[]

export class SessionQueue {
  readonly #http: Http
  readonly #path: string
  readonly #repo: Repo

  constructor(http: Http, sessionPath: string, repo: Repo) {
    this.#http = http
    this.#path = `${sessionPath}/queue`
    this.#repo = repo
  }

  list(): Promise<Queue> {
    return this.#send('', { method: 'GET' })
  }

  /** Another prompt in the place of the one that waits. */
  edit(turnId: string, input: PromptInput): Promise<Queue> {
    return this.#change(turnId, { prompt: blocksOf(input, this.#repo) })
  }

  /** Before the turn `before`, or to the end when it is null. */
  move(turnId: string, before: string | null): Promise<Queue> {
    return this.#change(turnId, { before })
  }

  /** Cancels what runs and goes first. */
  sendNow(turnId: string): Promise<Queue> {
    return this.#change(turnId, { now: true })
  }

  remove(turnId: string): Promise<Queue> {
    return this.#send(`/${encodeURIComponent(turnId)}`, { method: 'DELETE' })
  }

  clear(): Promise<Queue> {
    return this.#send('', { method: 'DELETE' })
  }

  #change(turnId: string, body: Readonly<Record<string, unknown>>): Promise<Queue> {
    return this.#send(`/${encodeURIComponent(turnId)}`, { method: 'PATCH', body })
  }

  async #send(rest: string, request: Request): Promise<Queue> {
    return (await this.#http.send<{ queue: Queue }>(this.#path + rest, request)).queue
  }
}
