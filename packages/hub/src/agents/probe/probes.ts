// Runs probes: one per extension at a time, with a shared result, and at most two at once.
import type { Extension } from '@quayside/protocol'
import { lastProbeSchema, type Probe } from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import { Slots } from '../../slots.js'
import type { AgentRuntime } from '../agent-runtime.js'
import type { AgentProcess } from '../connection/agent-process.js'
import { probeAgent } from './probe.js'

const MAX_AT_ONCE = 2

export class Probes {
  readonly #runtime: AgentRuntime
  readonly #running = new Map<string, Promise<Probe>>()
  readonly #last = new Map<string, Probe>()
  readonly #agents = new Set<AgentProcess>()
  readonly #slots = new Slots(MAX_AT_ONCE)
  #isClosed = false

  constructor(runtime: AgentRuntime) {
    this.#runtime = runtime
  }

  /** Throws `extension_not_found` and `extension_unavailable`. */
  async probe(extensionId: string): Promise<Probe> {
    const running = this.#running.get(extensionId)
    if (running !== undefined) return running
    const probing = this.#run(extensionId).finally(() => this.#running.delete(extensionId))
    this.#running.set(extensionId, probing)
    return probing
  }

  /** The summary of the newest probe since the hub started. */
  lastOf(extensionId: string): Pick<Extension, 'lastProbe'> {
    const probe = this.#last.get(extensionId)
    return probe === undefined ? {} : { lastProbe: lastProbeSchema.parse(probe) }
  }

  /** Ends running probes. Agents that are still initialising end when the runtime aborts its starts. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const agent of this.#agents) agent.kill()
    await Promise.all([...this.#agents].map(({ exited }) => exited))
  }

  async #run(extensionId: string): Promise<Probe> {
    const extension = this.#runtime.extensions.require(extensionId)
    return this.#slots.run(async () => {
      if (this.#isClosed) throw new HubError('shutting_down')
      const probe = await probeAgent(this.#runtime, extension, (agent) => {
        this.#agents.add(agent)
        void agent.exited.then(() => this.#agents.delete(agent))
        if (this.#isClosed) agent.kill()
      })
      this.#last.set(extensionId, probe)
      return probe
    })
  }
}
