// Runs the setup command of a repository in a new work tree, in a terminal of the session that people see. The first prompt waits for it.
import { settlesWithin } from '../deadline.js'
import { messageOfError } from '../errors.js'
import type { Log } from '../log.js'
import type { PeopleTerminals } from '../terminals/people/people-terminals.js'
import { type CommandRequest, MAX_COMMAND_MS, startCommand } from './command-terminal.js'

export type SetupWarning = { readonly code: 'setup_failed'; readonly message: string }

export type WorkspaceSetupsDeps = {
  readonly terminals: Pick<PeopleTerminals, 'create' | 'exited' | 'require'>
  /** Appends a warning to the session's log. */
  readonly warn: (sessionId: string, warning: SetupWarning) => Promise<unknown>
  readonly log: Log
}

export class WorkspaceSetups {
  readonly #deps: WorkspaceSetupsDeps
  readonly #running = new Map<string, Promise<void>>()

  constructor(deps: WorkspaceSetupsDeps) {
    this.#deps = deps
  }

  /** A failure becomes a notice in the session; the session continues. */
  begin(request: CommandRequest): void {
    const { sessionId } = request
    const done = this.#run(request)
      .then((problem) => this.#note(sessionId, problem))
      .catch((error: unknown) =>
        this.#deps.log.warn(
          { err: error, sessionId },
          'could not report the failure of a setup command',
        ),
      )
      .finally(() => this.#running.delete(sessionId))
    this.#running.set(sessionId, done)
  }

  /** Resolves when the first prompt may be sent: at the end of the command, or when it has run for too long. */
  async whenDone(sessionId: string): Promise<void> {
    await this.#running.get(sessionId)
  }

  /** Returns the problem, if there is one. */
  async #run(request: CommandRequest): Promise<string | undefined> {
    const { terminals } = this.#deps
    try {
      const id = await startCommand(terminals, request)
      if (!(await settlesWithin(terminals.exited(id), MAX_COMMAND_MS)))
        return `still runs after ${MAX_COMMAND_MS / 60_000} minutes`
      const { exit } = terminals.require(id)
      if (exit === null) return 'was lost with its terminal'
      return exit.exitCode === 0
        ? undefined
        : `ended with ${exit.signal ?? `exit code ${exit.exitCode}`}`
    } catch (error) {
      return `could not run: ${messageOfError(error)}`
    }
  }

  async #note(sessionId: string, problem: string | undefined): Promise<void> {
    if (problem === undefined) return
    const message = `The setup command of the repository ${problem}. Its terminal shows the output.`
    await this.#deps.warn(sessionId, { code: 'setup_failed', message })
  }
}
