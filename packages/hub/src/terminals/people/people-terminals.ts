// People's terminals. Each runs in its own host process, which outlives the hub. Opens, finds, follows and ends them.
// The database has no record of them: a host keeps its own state.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError, messageOfError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import { requireInnerFolder } from '../../repos/inner-folder.js'
import type { Repos } from '../../repos/repos.js'
import { followHost, HostConnection, isUnreachable, type OutputFrame } from './host-connection.js'
import { startHost } from './host-start.js'
import { personCommand, personEnvironment } from './person-shell.js'
import { settlesWithin } from '../../deadline.js'
import { TerminalSockets } from './terminal-sockets.js'

export type PersonTerminalRequest = (
  | {
      readonly repoId: string
      readonly sessionId?: string
      /** The work tree of that session; by default the repository's own. */
      readonly repository?: string
      readonly cwd?: string
    }
  /** A folder of the hub's own, for a program that works in no repository. */
  | { readonly folder: string }
) & {
  readonly cols: number
  readonly rows: number
  readonly command?: string
  readonly args?: readonly string[]
  /** Added to the person's own environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** Tags the processes of terminals, to distinguish them from agents, and ends them. */
export type TerminalProcesses = {
  /** For the host: no owner, so that no sweep ends it. */
  readonly hostEnv: Readonly<Record<string, string>>
  /** For the program in the terminal, so that its descendants are found. */
  programEnv(terminalId: string): Readonly<Record<string, string>>
  /** Ends everything that was started in a terminal. */
  endAll(terminalId: string): Promise<void>
}

export type PeopleTerminalsOptions = {
  readonly dataDir: string
  readonly repos: Pick<Repos, 'requireInsideRoot'>
  readonly processes: TerminalProcesses
  readonly log: Log
  /** For tests. */
  readonly keepExitedMs?: number
}

const MAX_TERMINALS = 16
const KEEP_EXITED_MS = 60 * 60_000
const LEAVE_DEADLINE_MS = 5_000
const LOOK_AGAIN_MS = 500

export class PeopleTerminals {
  readonly #options: PeopleTerminalsOptions
  readonly #sockets: TerminalSockets
  readonly #hosts = new Map<string, HostConnection>()
  readonly #ending = new Map<string, Promise<void>>()
  readonly #closed = new AbortController()
  #starting = 0

  constructor(options: PeopleTerminalsOptions) {
    this.#options = options
    this.#sockets = new TerminalSockets(options.dataDir)
  }

  /** Runs when the hub starts: finds terminals that an earlier hub opened, and removes dead sockets. */
  async findAll(): Promise<void> {
    await Promise.all(this.#sockets.list().map((id) => this.#findOne(id)))
    if (this.#hosts.size > 0)
      this.#options.log.info({ terminals: this.#hosts.size }, 'found terminals of an earlier hub')
  }

  /** Oldest first. */
  list(): Terminal[] {
    const terminals = [...this.#hosts.values()].map(({ terminal }) => terminal)
    return terminals.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  has(id: string): boolean {
    return this.#hosts.has(id)
  }

  require(id: string): Terminal {
    return this.#require(id).terminal
  }

  async create(request: PersonTerminalRequest): Promise<Terminal> {
    // Counted before the first await, so that concurrent calls cannot exceed the limit.
    this.#starting += 1
    try {
      await this.#makeRoom()
      return await this.#create(request)
    } finally {
      this.#starting -= 1
    }
  }

  /** Also works for a terminal that has ended, as long as its host keeps the output. */
  follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<OutputFrame, void> {
    this.#require(id)
    const until = AbortSignal.any([signal, this.#closed.signal])
    return followHost(this.#sockets.pathOf(id), after, until)
  }

  /** Resolves when its program has ended. */
  exited(id: string): Promise<void> {
    return this.#require(id).exited
  }

  write(id: string, data: string): void {
    this.#requireReading(id).send({ do: 'input', data })
  }

  resize(id: string, size: { readonly cols: number; readonly rows: number }): void {
    this.#requireReading(id).send({ do: 'resize', ...size })
  }

  /** Resolves when no process of the terminal runs, not even outside of its group. Concurrent calls share the result. */
  end(id: string): Promise<void> {
    const host = this.#require(id)
    return this.#once(id, async () => {
      // Lists processes before any ends: a process that cleared its environment is found only by its parent.
      const allEnded = this.#options.processes.endAll(id)
      await Promise.all([allEnded, this.#dismiss(host)])
    })
  }

  /** For the end of the hub. The terminals keep running. */
  close(): void {
    this.#closed.abort()
    for (const host of this.#hosts.values()) host.close()
  }

  async #create(request: PersonTerminalRequest) {
    const { processes, keepExitedMs = KEEP_EXITED_MS } = this.#options
    const { cols, rows } = request
    const location = this.#locationOf(request)
    const env = { ...personEnvironment(process.env), ...request.env }
    const command = personCommand(request, location.cwd, env)
    const id = uuidv7()
    this.#sockets.requireFolder()
    const startedAt = new Date().toISOString()
    const launch = {
      terminal: { id, ...location, ...command, cols, rows, startedAt },
      env: { ...env, ...processes.programEnv(id) },
      socketPath: this.#sockets.pathOf(id),
      keepExitedMs,
    }
    await startHost(launch, processes.hostEnv)
    return this.#add(await HostConnection.open(launch.socketPath))
  }

  #add(host: HostConnection): Terminal {
    const { terminal } = host
    this.#hosts.set(terminal.id, host)
    const lost = host.closed.then(() => this.#lose(terminal.id))
    logRejection(this.#options.log, 'forgetting a terminal', lost)
    if (this.#closed.signal.aborted) host.close()
    return terminal
  }

  /** Called when a connection ends. Unless the hub closed it, the host may still run, so connect again. */
  async #lose(id: string): Promise<void> {
    this.#hosts.delete(id)
    if (this.#ending.has(id)) return
    await sleep(LOOK_AGAIN_MS, undefined, { ref: false })
    if (!this.#closed.signal.aborted) await this.#findOne(id)
  }

  async #findOne(id: string): Promise<void> {
    try {
      this.#add(await HostConnection.open(this.#sockets.pathOf(id)))
    } catch (error) {
      if (isUnreachable(error)) this.#sockets.remove(id)
      else
        this.#options.log.warn(
          { terminalId: id, problem: messageOfError(error) },
          'could not reach a terminal',
        )
    }
  }

  #once(id: string, end: () => Promise<void>): Promise<void> {
    const ending = this.#ending.get(id) ?? end().finally(() => this.#ending.delete(id))
    this.#ending.set(id, ending)
    return ending
  }

  /** Hangs up the program and waits for the host to exit. Kills the host if it does not. */
  async #dismiss(host: HostConnection): Promise<void> {
    const { id } = host.terminal
    host.send({ do: 'end' })
    if (await settlesWithin(host.closed, LEAVE_DEADLINE_MS)) return
    this.#options.log.warn({ terminalId: id }, 'a terminal host did not exit; killing it')
    host.kill()
    await host.closed
    this.#sockets.remove(id)
  }

  /** Closes the oldest ended terminal to make room. Its leftover processes and running terminals stay. */
  async #makeRoom(): Promise<void> {
    if (this.#hosts.size + this.#starting <= MAX_TERMINALS) return
    const ended = [...this.#hosts.values()].find(({ terminal }) => terminal.exit !== null)
    if (ended === undefined)
      throw new HubError('terminal_limit', {
        message: `${MAX_TERMINALS} terminals are open. Close one first.`,
        limit: MAX_TERMINALS,
      })
    await this.#once(ended.terminal.id, () => this.#dismiss(ended))
    return this.#makeRoom()
  }

  #locationOf(request: PersonTerminalRequest): Pick<Terminal, 'repoId' | 'sessionId' | 'cwd'> {
    if ('folder' in request) return { repoId: null, sessionId: null, cwd: request.folder }
    const { repos, log } = this.#options
    const { repoId, sessionId = null, cwd: wanted = '' } = request
    const repository = request.repository ?? repos.requireInsideRoot(repoId).path
    const cwd = requireInnerFolder({ repository, wanted, field: 'cwd' }, log)
    return { repoId, sessionId, cwd }
  }

  #require(id: string): HostConnection {
    const host = this.#hosts.get(id)
    if (host === undefined) throw new HubError('terminal_not_found', { terminalId: id })
    return host
  }

  /** Requires a terminal whose program runs and reads its input. */
  #requireReading(id: string): HostConnection {
    const host = this.#require(id)
    if (host.terminal.exit !== null) throw new HubError('terminal_exited', { terminalId: id })
    if (host.isBusy) throw new HubError('terminal_busy', { terminalId: id })
    return host
  }
}
