// Asks programs once how they want to be started, for agents whose arguments changed between versions.
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../../log.js'
import type { ArgsProbe, Launch } from './launch.js'

const DEADLINE_MS = 20_000
const MAX_OUTPUT_BYTES = 1024 * 1024

export class ArgsProbes {
  readonly #log: Log
  readonly #answers = new Map<string, Promise<boolean>>()

  constructor(log: Log) {
    this.#log = log
  }

  /** The launch with the arguments that this version of the program takes. Never throws: without an answer, `args` it is. */
  async settle({ argsProbe, ...launch }: Launch): Promise<Launch> {
    if (argsProbe === undefined) return launch
    return (await this.#isCurrent(launch, argsProbe)) ? launch : { ...launch, args: argsProbe.else }
  }

  async #isCurrent(launch: Launch, probe: ArgsProbe): Promise<boolean> {
    try {
      return await this.#ask(launch, probe)
    } catch (error) {
      this.#log.warn({ err: error, command: launch.command }, 'a program did not say its arguments')
      return true
    }
  }

  /** Once for each program and each time it was replaced; one that failed to answer is asked again. */
  async #ask(launch: Launch, probe: ArgsProbe): Promise<boolean> {
    const { mtimeMs, size } = statSync(launch.command)
    const key = JSON.stringify([launch.command, mtimeMs, size, probe])
    const answer = this.#answers.get(key) ?? ask(launch, probe)
    this.#answers.set(key, answer)
    answer.catch(() => this.#answers.delete(key))
    return answer
  }
}

/** Outside of any repository. Most programs end with an error or write to stderr when they are asked for help. */
function ask(launch: Launch, { args, contains }: ArgsProbe): Promise<boolean> {
  const { command, env } = launch
  return new Promise((resolve, reject) => {
    const options = {
      cwd: dirname(command),
      env,
      timeout: DEADLINE_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
    } as const
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      const said = stdout + stderr
      if (said === '' || error?.killed) reject(error ?? new Error('It said nothing.'))
      else resolve(said.includes(contains))
    })
    child.stdin?.end()
  })
}
