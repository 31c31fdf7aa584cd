// The previews of sessions: the ports that a session's agent and terminals have opened, each shown on an origin of its own.
import type { IncomingMessage } from 'node:http'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import type { Config } from '../config/config.js'
import { HubError } from '../errors.js'
import type { Certificate } from '../reach/certificate.js'
import type { LiveSessions } from '../sessions/live/live-sessions.js'
import type { PeopleTerminals } from '../terminals/people/people-terminals.js'
import { type ListeningPort, listeningPorts } from './listening-ports.js'
import { PreviewServer } from './preview-server.js'

type PreviewDeps = {
  readonly config: Config
  readonly certificate: Certificate | undefined
  readonly live: LiveSessions
  readonly agents: AgentRuntime
  readonly terminals: PeopleTerminals
  readonly requireHost: (request: IncomingMessage) => void
}

const MAX_OPEN = 8
const IDLE_MS = 30 * 60_000
/** The processes of a session are looked up at most this often. */
const CHECK_MS = 3_000

export class Previews {
  readonly #deps: PreviewDeps
  /** By session and port. */
  readonly #open = new Map<string, PreviewServer>()

  constructor(deps: PreviewDeps) {
    this.#deps = deps
  }

  get scheme(): 'http' | 'https' {
    return this.#deps.certificate ? 'https' : 'http'
  }

  list(sessionId: string): readonly ListeningPort[] {
    return listeningPorts(this.#pidsOf(sessionId))
  }

  /** The port of the preview, and a path that lets one browser in. Throws when no process of the session has the port. */
  async open(sessionId: string, port: number): Promise<{ port: number; path: string }> {
    const target = this.list(sessionId).find((one) => one.port === port)
    if (!target)
      throw new HubError('not_found', {
        message: `No process of this session listens on port ${port}. Start the program, then look again.`,
      })
    this.#closeIdle()
    const key = `${sessionId} ${port}`
    const preview = this.#open.get(key) ?? (await this.#start(key, { sessionId, target }))
    return { port: preview.port, path: preview.mintPath() }
  }

  close(): void {
    for (const preview of this.#open.values()) preview.close()
    this.#open.clear()
  }

  async #start(key: string, { sessionId, target }: { sessionId: string; target: ListeningPort }) {
    const { config, certificate, requireHost } = this.#deps
    const { host } = config
    const isOpen = this.#checkOf(sessionId, target.port)
    const preview = await PreviewServer.open({ target, host, certificate, requireHost, isOpen })
    this.#open.set(key, preview)
    const [oldest] = this.#open
    if (this.#open.size > MAX_OPEN && oldest) this.#end(...oldest)
    return preview
  }

  /** The port may be taken over by another program later. */
  #checkOf(sessionId: string, port: number): () => boolean {
    let checkedAt = performance.now()
    let isOpen = true
    return () => {
      if (performance.now() - checkedAt < CHECK_MS) return isOpen
      checkedAt = performance.now()
      isOpen = this.list(sessionId).some((one) => one.port === port)
      return isOpen
    }
  }

  #closeIdle(): void {
    for (const [key, preview] of this.#open) if (preview.idleMs() > IDLE_MS) this.#end(key, preview)
  }

  #end(key: string, preview: PreviewServer): void {
    this.#open.delete(key)
    preview.close()
  }

  #pidsOf(sessionId: string): number[] {
    const { agents, terminals, live } = this.#deps
    const own = agents.listProcesses().filter(({ sessionIds }) => sessionIds.includes(sessionId))
    const people = terminals
      .list()
      .filter((one) => one.sessionId === sessionId && one.exit === null)
    const ofAgent = live.find(sessionId)?.terminals?.pids ?? []
    return [...own, ...people].map(({ pid }) => pid).concat(ofAgent)
  }
}
