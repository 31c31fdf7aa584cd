// People's terminals. Each lives in a host process of its own that outlives the hub; here they are opened, found again after
// a start, followed and ended. Nothing about them is in the database: a host knows its own state.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError, messageOfError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import { findRealPath, isInside, type Repos } from '../repos/repos.js'
import { followHost, HostConnection, isNobodyThere, type OutputFrame } from './host-connection.js'
import { startHost } from './host-start.js'
import { personCommand, personEnvironment } from './person-shell.js'
import { settlesWithin } from '../deadline.js'
import { TerminalSockets } from './terminal-sockets.js'

export type PersonTerminalWish = (
  | { readonly repoId: string; readonly sessionId?: string; readonly cwd?: string }
  /** A folder of the hub's own, for a program that works in no repository. */
  | { readonly folder: string }
) & {
  readonly cols: number
  readonly rows: number
  readonly command?: string
  readonly args?: readonly string[]
  /** Besides the person's own environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** How the processes of terminals are told apart from those of agents, and ended. */
export type TerminalProcesses = {
  /** For the host: nobody's, so that no sweep takes it for an agent's. */
  readonly hostEnv: Readonly<Record<string, string>>
  /** For what runs in it: found by it, wherever it went. */
  programEnv(terminalId: string): Readonly<Record<string, string>>
  /** Ends everything that was started in a terminal. */
  endAll(terminalId: string): Promise<void>
}

export type PeopleTerminalsOptions = {
  readonly dataDir: string
  readonly repos: Pick<Repos, 'requireInsideRoot'>
  readonly processes: TerminalProcesses
  readonly log: Log
  /** For tests, which cannot wait for an hour. */
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

  /** At the start of a hub: those that an earlier one opened. Sockets where nobody listens are removed. */
  async findAll(): Promise<void> {
    await Promise.all(this.#sockets.list().map((id) => this.#findOne(id)))
    if (this.#hosts.size > 0)
      this.#options.log.info({ terminals: this.#hosts.size }, 'terminals found that were open')
  }

  /** Oldest first. */
  list(): Terminal[] {
    const terminals = [...this.#hosts.values()].map(({ terminal }) => terminal)
    return terminals.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  require(id: string): Terminal {
    return this.#require(id).terminal
  }

  async create(wish: PersonTerminalWish): Promise<Terminal> {
    // Counted before anything is waited for, or many at once would all find the last place free.
    this.#starting += 1
    try {
      await this.#makeRoom()
      return await this.#create(wish)
    } finally {
      this.#starting -= 1
    }
  }

  /** Also of a terminal that has ended, as long as its host keeps it. */
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

  /** Resolves when nothing of it runs, also what left its group. Two calls at once are one. */
  end(id: string): Promise<void> {
    const host = this.#require(id)
    return this.#once(id, async () => {
      // It looks before anything ends: who cleared its environment is known only by its parent.
      const allEnded = this.#options.processes.endAll(id)
      await Promise.all([allEnded, this.#dismiss(host)])
    })
  }

  /** The hub stops; its terminals go on. */
  close(): void {
    this.#closed.abort()
    for (const host of this.#hosts.values()) host.close()
  }

  async #create(wish: PersonTerminalWish) {
    const { processes, keepExitedMs = KEEP_EXITED_MS } = this.#options
    const { cols, rows } = wish
    const place = this.#placeOf(wish)
    const env = { ...personEnvironment(process.env), ...wish.env }
    const command = personCommand(wish, place.cwd, env)
    const id = uuidv7()
    this.#sockets.requireFolder()
    const startedAt = new Date().toISOString()
    const launch = {
      terminal: { id, ...place, ...command, cols, rows, startedAt },
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

  /** The connection ended. Unless that was our wish, the host may still be there; one that was killed goes in a moment. */
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
      if (isNobodyThere(error)) this.#sockets.remove(id)
      else
        this.#options.log.warn(
          { terminalId: id, problem: messageOfError(error) },
          'a terminal cannot be reached',
        )
    }
  }

  #once(id: string, end: () => Promise<void>): Promise<void> {
    const ending = this.#ending.get(id) ?? end().finally(() => this.#ending.delete(id))
    this.#ending.set(id, ending)
    return ending
  }

  /** Its program is hung up on, and the host goes; by force if need be. */
  async #dismiss(host: HostConnection): Promise<void> {
    const { id } = host.terminal
    host.send({ do: 'end' })
    if (await settlesWithin(host.closed, LEAVE_DEADLINE_MS)) return
    this.#options.log.warn({ terminalId: id }, 'the host of a terminal did not leave; it is killed')
    host.kill()
    await host.closed
    this.#sockets.remove(id)
  }

  /** The oldest that has ended makes place for a new one, and what it left running goes on. Those that run stay. */
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

  #placeOf(wish: PersonTerminalWish): Pick<Terminal, 'repoId' | 'sessionId' | 'cwd'> {
    if ('folder' in wish) return { repoId: null, sessionId: null, cwd: wish.folder }
    const { repoId, sessionId = null } = wish
    const { path } = this.#options.repos.requireInsideRoot(repoId)
    return { repoId, sessionId, cwd: this.#requireCwd(path, wish.cwd) }
  }

  #requireCwd(repository: string, wanted = ''): string {
    const folder = findRealPath(resolve(repository, wanted))
    if (folder !== undefined && isInside(folder, repository) && statSync(folder).isDirectory())
      return folder
    this.#options.log.warn(
      { security: true, cwd: wanted },
      'a terminal outside the repository was refused',
    )
    throw new HubError('path_outside_root', {
      message: `cwd must be a folder inside the repository; ${wanted} is not.`,
      cwd: wanted,
    })
  }

  #require(id: string): HostConnection {
    const host = this.#hosts.get(id)
    if (host === undefined) throw new HubError('terminal_not_found', { terminalId: id })
    return host
  }

  /** A terminal whose program runs and takes what it is sent. */
  #requireReading(id: string): HostConnection {
    const host = this.#require(id)
    if (host.terminal.exit !== null) throw new HubError('terminal_exited', { terminalId: id })
    if (host.isBusy) throw new HubError('terminal_busy', { terminalId: id })
    return host
  }
}
