// The terminals that an agent opens in one session (ACP terminal/*).
import { v7 as uuidv7 } from 'uuid'
import { type Log, logRejection } from '../../log.js'
import type { OutputPiece } from '../output-tail.js'
import { TerminalChild, type TerminalExit } from './terminal-child.js'
import { TerminalError } from '../terminal-error.js'
import { type CreateTerminal, resolveTerminal, type TerminalOptions } from '../terminal-launch.js'

export type OpenedTerminal = {
  readonly terminalId: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
}

export type ExitedTerminal = TerminalExit & {
  readonly terminalId: string
  readonly output: string
  readonly truncated: boolean
}

/** The answer to terminal/output, with `exitStatus` once the command has ended. */
export type TerminalState = {
  readonly output: string
  readonly truncated: boolean
  readonly exitStatus?: TerminalExit
}

export type AgentTerminalsOptions = TerminalOptions & {
  readonly log: Log
  onOpened(terminal: OpenedTerminal): void
  onExited(terminal: ExitedTerminal): void
}

export type Watch = AsyncGenerator<
  OutputPiece,
  (TerminalExit & { readonly at: string }) | undefined
>

type Terminal = OpenedTerminal & { readonly child: TerminalChild }

const MAX_ALIVE = 16
/** For agents that never release terminals: the oldest finished ones are removed to free their output. */
const MAX_FINISHED = 16

export class AgentTerminals {
  readonly #options: AgentTerminalsOptions
  /** Terminals with a valid id. */
  readonly #terminals = new Map<string, Terminal>()
  /** Children that have not ended completely, including released terminals. */
  readonly #children = new Set<TerminalChild>()
  readonly #opening = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(options: AgentTerminalsOptions) {
    this.#options = options
  }

  /** Of the commands that may still run, including those in released terminals. */
  get pids(): readonly number[] {
    return [...this.#children].map(({ pid }) => pid)
  }

  async create(request: CreateTerminal): Promise<{ terminalId: string }> {
    this.#requireRoom()
    const opening = this.#open(request)
    this.#opening.add(opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(opening)
    }
  }

  output(terminalId: string): TerminalState {
    return stateOf(this.#require(terminalId).child)
  }

  /** Rejects with the signal's reason when it aborts; the command continues. */
  async waitForExit(terminalId: string, signal?: AbortSignal): Promise<TerminalExit> {
    const { exited } = this.#require(terminalId).child
    return signal === undefined ? exited : unlessAborted(exited, signal)
  }

  /** Ends the command and its children. The id and the output stay valid. */
  async kill(terminalId: string): Promise<void> {
    await this.#require(terminalId).child.stop()
  }

  /** Invalidates the id at once. Resolves when no process of the terminal runs. */
  async release(terminalId: string): Promise<void> {
    const { child } = this.#require(terminalId)
    this.#terminals.delete(terminalId)
    await this.#close(child)
  }

  /** For the end of the session: ends all terminals, and rejects new ones. */
  async closeAll(): Promise<void> {
    this.#isClosed = true
    this.#terminals.clear()
    await Promise.allSettled(this.#opening)
    await Promise.all([...this.#children].map((child) => this.#close(child)))
  }

  /** The terminals that were not released, oldest first, for clients. */
  list(): (OpenedTerminal & TerminalState)[] {
    return [...this.#terminals.values()].map(({ child, ...opened }) => ({
      ...opened,
      ...stateOf(child),
    }))
  }

  has(terminalId: string): boolean {
    return this.#terminals.has(terminalId)
  }

  /**
   * Yields the output after an offset and new output, until it ends or the terminal is released, and returns the exit of the
   * command; undefined when `signal` aborts.
   */
  watch(terminalId: string, signal: AbortSignal, after = 0): Watch {
    return watchChild(this.#require(terminalId).child, signal, after)
  }

  async #open(request: CreateTerminal): Promise<{ terminalId: string }> {
    const launch = await resolveTerminal(request, this.#options)
    const terminalId = uuidv7()
    const child = await TerminalChild.start(launch, this.#options.log.child({ terminalId }))
    this.#children.add(child)
    if (this.#isClosed) {
      await this.#close(child)
      throw sessionEnded()
    }
    const { command, args } = request
    const opened = { terminalId, command, args: args ?? [], cwd: launch.cwd }
    this.#terminals.set(terminalId, { ...opened, child })
    this.#record(() => this.#options.onOpened(opened))
    // Subscribed before any other listener, so that the exit is recorded before the agent gets an answer.
    const recorded = child.exited.then((exit) => this.#recordExit(terminalId, child, exit))
    logRejection(this.#options.log, 'recording the end of a terminal', recorded)
    this.#forgetOldFinished()
    return { terminalId }
  }

  #recordExit(terminalId: string, { output }: TerminalChild, exit: TerminalExit): void {
    const { tail } = output
    const exited = { terminalId, ...exit, output: tail.text(), truncated: tail.truncated }
    this.#record(() => this.#options.onExited(exited))
  }

  /** A failure to record must not block the agent's answer or the end of the command. */
  #record(record: () => void): void {
    try {
      record()
    } catch (error) {
      this.#options.log.error({ err: error }, 'could not record a terminal')
    }
  }

  #require(terminalId: string): Terminal {
    const terminal = this.#terminals.get(terminalId)
    if (terminal === undefined)
      throw new TerminalError('not_found', `There is no terminal ${terminalId}.`)
    return terminal
  }

  #requireRoom(): void {
    if (this.#isClosed) throw sessionEnded()
    const alive = [...this.#children].filter((child) => child.isAlive).length
    if (alive + this.#opening.size < MAX_ALIVE) return
    throw new TerminalError(
      'too_many',
      `${MAX_ALIVE} terminals are running already. Release one first.`,
    )
  }

  #forgetOldFinished(): void {
    const finished = [...this.#terminals.values()].filter(({ child }) => !child.isAlive)
    for (const { terminalId } of finished.slice(0, -MAX_FINISHED))
      logRejection(this.#options.log, 'forgetting a terminal', this.release(terminalId))
  }

  async #close(child: TerminalChild): Promise<void> {
    await child.close()
    this.#children.delete(child)
  }
}

async function* watchChild(child: TerminalChild, signal: AbortSignal, after: number): Watch {
  yield* child.output.live.follow(signal, after)
  // Never rejects by itself.
  const exit = await unlessAborted(child.exited, signal).catch(() => undefined)
  return exit && { ...exit, at: child.exitedAt }
}

function stateOf({ output, exit }: TerminalChild): TerminalState {
  const state = { output: output.tail.text(), truncated: output.tail.truncated }
  return exit === undefined ? state : { ...state, exitStatus: exit }
}

function sessionEnded(): TerminalError {
  return new TerminalError('invalid', 'The session has ended.')
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
