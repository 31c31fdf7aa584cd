// The upkeep of a hub: its processes and its disk use.
import type {
  CleaningPlan,
  CleaningPolicy,
  Health,
  RunningProcess,
  StorageUse,
} from '@quayside/protocol/schemas'
import type { AgentChatClient } from '../client.js'
import type { Abortable, Http } from '../connection/http.js'

type Processes = readonly RunningProcess[]

export class HubUpkeep {
  readonly #http: Http

  constructor({ http }: AgentChatClient) {
    this.#http = http
  }

  /** Works without a sign-in. */
  health(): Promise<Health> {
    return this.#http.call('GET /api/health', {})
  }

  async processes(abortable?: Abortable): Promise<Processes> {
    return (await this.#http.call('GET /api/processes', {}, abortable)).processes
  }

  /** Ends a process with all it started, and the sessions it works for. Returns the processes that still run. */
  async stopProcess(pid: number): Promise<Processes> {
    return (await this.#http.call('POST /api/processes/{pid}/stop', { pid: String(pid) })).processes
  }

  storage(abortable?: Abortable): Promise<StorageUse> {
    return this.#http.call('GET /api/storage', {}, abortable)
  }

  /** The sessions that a cleaning would remove; changes nothing. */
  planCleaning(policy: CleaningPolicy): Promise<CleaningPlan> {
    return this.#http.call('POST /api/storage/plan', policy)
  }

  /** Removes ended sessions for good. */
  clean(policy: CleaningPolicy): Promise<{ readonly removed: readonly string[] }> {
    return this.#http.call('POST /api/storage/clean', policy)
  }
}
