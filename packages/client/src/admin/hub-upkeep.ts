// What someone does who looks after a hub: what runs, what takes room on the disk.
import type {
  CleaningPlan,
  CleaningPolicy,
  RunningProcess,
  StorageUse,
} from '@quayside/protocol/schemas'
import type { Abortable, AgentChatClient } from '../client.js'
import type { Http } from '../http.js'

type Processes = { readonly processes: readonly RunningProcess[] }

export class HubUpkeep {
  readonly #http: Http

  constructor({ http }: AgentChatClient) {
    this.#http = http
  }

  /** Works without a sign-in. */
  health(): Promise<{ readonly status: string; readonly version: string }> {
    return this.#http.get('/api/health')
  }

  async processes({ signal }: Abortable = {}): Promise<readonly RunningProcess[]> {
    return (await this.#http.get<Processes>('/api/processes', signal)).processes
  }

  /** Ends a process with all it started, and the sessions it works for. Answers with what still runs. */
  async stopProcess(pid: number): Promise<readonly RunningProcess[]> {
    return (await this.#http.post<Processes>(`/api/processes/${pid}/stop`)).processes
  }

  storage({ signal }: Abortable = {}): Promise<StorageUse> {
    return this.#http.get('/api/storage', signal)
  }

  /** What a cleaning would take; changes nothing. */
  planCleaning(policy: CleaningPolicy): Promise<CleaningPlan> {
    return this.#http.post('/api/storage/plan', policy)
  }

  /** Removes ended sessions for good. */
  clean(policy: CleaningPolicy): Promise<{ readonly removed: readonly string[] }> {
    return this.#http.post('/api/storage/clean', policy)
  }
}
