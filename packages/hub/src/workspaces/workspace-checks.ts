// Runs the check command of a repository in the work tree of a session, in a terminal of the session that people see. The terminal outlives
// the hub, so the next start finds the result.
import type { CheckRun } from '@quayside/protocol'
import { settlesWithin } from '../deadline.js'
import { messageOfError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import type { PeopleTerminals } from '../terminals/people/people-terminals.js'
import { type CommandRequest, MAX_COMMAND_MS, startCommand } from './command-terminal.js'

export type WorkspaceChecksDeps = {
  readonly terminals: Pick<PeopleTerminals, 'create' | 'end' | 'exited' | 'list'>
  /** Stores the latest state in the session's row. */
  readonly record: (sessionId: string, check: CheckRun) => Promise<void>
  readonly log: Log
  /** For tests. */
  readonly maxMs?: number
}

type Started = CheckRun & { readonly terminalId: string }
type CheckEnd = Pick<CheckRun, 'state' | 'seconds' | 'exitCode' | 'reason'>
type Running = { readonly check: Started; isStopped: boolean; done: Promise<void> }

const STOPPED = { state: 'unknown', reason: 'The check was stopped.' } as const

export class WorkspaceChecks {
  readonly #deps: WorkspaceChecksDeps
  /** The running checks, by session. */
  readonly #running = new Map<string, Running>()
  /** The checks that are being started, by session. */
  readonly #starting = new Map<string, Promise<CheckRun>>()
  #isClosed = false

  constructor(deps: WorkspaceChecksDeps) {
    this.#deps = deps
  }

  /** Stops a check of the session that still runs, and resolves when the new one has started. Problems are returned, not thrown. */
  start(request: CommandRequest): Promise<CheckRun> {
    const { sessionId } = request
    const before = this.stop(sessionId)
    const started = before
      .then(() => this.#start(request))
      .finally(() => {
        if (this.#starting.get(sessionId) === started) this.#starting.delete(sessionId)
      })
    this.#starting.set(sessionId, started)
    return started
  }

  async #start(request: CommandRequest): Promise<CheckRun> {
    const { sessionId, command } = request
    try {
      const terminalId = await startCommand(this.#deps.terminals, request)
      const startedAt = new Date().toISOString()
      const check = { state: 'running', command, startedAt, terminalId } as const
      await this.#deps.record(sessionId, check)
      this.follow(sessionId, check)
      return check
    } catch (error) {
      return this.refuse(sessionId, command, error)
    }
  }

  /** Records that a check could not run. */
  async refuse(sessionId: string, command: string, problem: unknown): Promise<CheckRun> {
    const reason = `The check could not run: ${messageOfError(problem)}`
    const startedAt = new Date().toISOString()
    const check = { state: 'unknown', command, startedAt, reason } as const
    await this.#deps.record(sessionId, check)
    return check
  }

  /** Records the end of a check that was started, also by an earlier hub. */
  follow(sessionId: string, check: Started): void {
    const running: Running = { check, isStopped: false, done: Promise.resolve() }
    this.#running.set(sessionId, running)
    running.done = this.#follow(sessionId, running)
    logRejection(this.#deps.log, 'recording a check', running.done)
  }

  async #follow(sessionId: string, running: Running): Promise<void> {
    const { check } = running
    const end = await this.#wait(check)
    // A later check has replaced it, or the hub stops while the terminal runs on.
    if (this.#running.get(sessionId) !== running || this.#isClosed) return
    await this.#deps.record(sessionId, { ...check, ...(running.isStopped ? STOPPED : end) })
    this.#running.delete(sessionId)
  }

  /** Ends the terminal of a check, also of one that is being started. Its result is then `unknown`. */
  async stop(sessionId: string): Promise<void> {
    await this.#starting.get(sessionId)?.catch(() => undefined)
    const running = this.#running.get(sessionId)
    if (running === undefined) return
    running.isStopped = true
    const { terminalId } = running.check
    const { terminals } = this.#deps
    if (terminals.list().some(({ id }) => id === terminalId)) await terminals.end(terminalId)
    await running.done.catch(() => undefined)
  }

  /** Called when the hub stops. The checks run on in their terminals. */
  close(): void {
    this.#isClosed = true
  }

  async #wait({ terminalId, startedAt }: Started): Promise<CheckEnd> {
    const { terminals, maxMs = MAX_COMMAND_MS } = this.#deps
    const find = () => terminals.list().find(({ id }) => id === terminalId)
    if (find() === undefined)
      return { state: 'unknown', reason: 'The check ended while no hub was running.' }
    if (!(await settlesWithin(terminals.exited(terminalId), maxMs))) {
      await terminals.end(terminalId)
      const reason = `The check was stopped after ${Math.round(maxMs / 60_000)} minutes.`
      return { state: 'failed', seconds: maxMs / 1_000, reason }
    }
    const exit = find()?.exit
    if (!exit) return STOPPED
    const { exitCode, signal, at } = exit
    const ms = Date.parse(at) - Date.parse(startedAt)
    const time = { seconds: Math.max(0, Math.round(ms / 100) / 10) }
    if (signal !== null || exitCode === null)
      return {
        state: 'failed',
        ...time,
        reason: `The check ended with ${signal ?? 'no exit code'}.`,
      }
    return { state: exitCode === 0 ? 'passed' : 'failed', ...time, exitCode }
  }
}
