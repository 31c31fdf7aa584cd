// The results of starting each agent once. Only a few start at a time, because each needs a processor for a while.
import type { AgentChatClient, Probe } from '@quayside/client'
import { problemOf } from '../shared/problem.js'
import { Store } from '../shared/store.js'

export type ProbeState =
  | { readonly is: 'waiting' }
  /** `downloadMs`: for how long it has been downloaded before its first start. */
  | { readonly is: 'looking'; readonly downloadMs?: number }
  | { readonly is: 'known'; readonly probe: Probe }
  | { readonly is: 'failed'; readonly problem: string }

export type ProbeStates = Readonly<Record<string, ProbeState>>

const AT_ONCE = 3
/** A download takes minutes; other probes end before the first look. */
const DOWNLOAD_LOOK_MS = 3_000

export class AgentProbes {
  readonly state = new Store<ProbeStates>({})
  readonly #client: AgentChatClient
  readonly #waiting: string[] = []
  #running = 0

  constructor(client: AgentChatClient) {
    this.#client = client
  }

  /** Starts the agent, also when it was probed before. */
  check(id: string): void {
    const { is } = this.state.get()[id] ?? {}
    if (is === 'waiting' || is === 'looking') return
    this.#set(id, { is: 'waiting' })
    this.#waiting.push(id)
    this.#next()
  }

  /** Like `check`, but returns the result; rejects with the hub's error. */
  async checkNow(id: string): Promise<Probe> {
    const probe = await this.#client.agents.probe(id)
    this.#set(id, { is: 'known', probe })
    return probe
  }

  #next(): void {
    while (this.#running < AT_ONCE) {
      const id = this.#waiting.shift()
      if (id === undefined) return
      this.#running += 1
      void this.#probe(id)
    }
  }

  async #probe(id: string): Promise<void> {
    this.#set(id, { is: 'looking' })
    const looks = setInterval(() => void this.#lookAtDownload(id), DOWNLOAD_LOOK_MS)
    try {
      this.#set(id, { is: 'known', probe: await this.#client.agents.probe(id) })
    } catch (error) {
      this.#set(id, { is: 'failed', problem: problemOf(error) })
    } finally {
      clearInterval(looks)
      this.#running -= 1
      this.#next()
    }
  }

  async #lookAtDownload(id: string): Promise<void> {
    // The probe itself reports a hub that cannot be reached.
    const found = await this.#client.agents.get(id).catch(() => undefined)
    if (found?.downloadingSince === undefined || this.state.get()[id]?.is !== 'looking') return
    const downloadMs = Math.max(0, Date.now() - Date.parse(found.downloadingSince))
    this.#set(id, { is: 'looking', downloadMs })
  }

  #set(id: string, state: ProbeState): void {
    this.state.set({ ...this.state.get(), [id]: state })
  }
}
