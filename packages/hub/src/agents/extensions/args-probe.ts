// Runs a program once to find the arguments it takes, for agents whose arguments changed between versions.
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../../log.js'
import type { ArgsProbe, Launch } from './launch.js'

const DEADLINE_MS = 20_000
const MAX_OUTPUT_BYTES = 1024 * 1024

export class ArgsProbes {
  readonly #log: Log
  readonly #signal: AbortSignal
  readonly #answers = new Map<string, Promise<boolean>>()

  /** `signal` ends the programs that are being probed. */
  constructor(log: Log, signal: AbortSignal) {
    this.#log = log
    this.#signal = signal
  }

  /** The launch with the arguments of the installed version. A failed probe keeps `args`. Throws only when it is aborted. */
  async settle({ argsProbe, ...launch }: Launch): Promise<Launch> {
    if (argsProbe === undefined) return launch
    return (await this.#isCurrent(launch, argsProbe)) ? launch : { ...launch, args: argsProbe.else }
  }

  async #isCurrent(launch: Launch, probe: ArgsProbe): Promise<boolean> {
    try {
      return await this.#ask(launch, probe)
    } catch (error) {
      this.#signal.throwIfAborted()
      this.#log.warn(
        { err: error, command: launch.command },
        'could not probe the arguments of a program',
      )
      return true
    }
  }

  /** Cached per version of the program file. A failed probe is repeated. */
  async #ask(launch: Launch, probe: ArgsProbe): Promise<boolean> {
    const { mtimeMs, size } = statSync(launch.command)
    const key = JSON.stringify([launch.command, mtimeMs, size, probe])
    const answer = this.#answers.get(key) ?? ask(launch, probe, this.#signal)
    this.#answers.set(key, answer)
    answer.catch(() => this.#answers.delete(key))
    return answer
  }
}

/** Runs outside of any repository. Accepts stderr and exit codes, because many programs use them for their help text. */
function ask(launch: Launch, { args, contains }: ArgsProbe, signal: AbortSignal): Promise<boolean> {
  const { command, env } = launch
  return new Promise((resolve, reject) => {
    const options = {
      cwd: dirname(command),
      env,
      timeout: DEADLINE_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      signal,
    } as const
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      const output = stdout + stderr
      if (output === '' || error?.killed) reject(error ?? new Error('The program wrote no output.'))
      else resolve(output.includes(contains))
    })
    child.stdin?.end()
  })
}
