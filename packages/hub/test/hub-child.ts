// The hub as a child process of the built `quayside` command.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { CommandChild } from './command-child.js'

export type HubChild = {
  readonly process: ChildProcess
  /** The printed address, with its one-time code. */
  readonly signInAddress: string
  readonly address: string
  readonly output: () => string
  /** Resolves when that many lines of the log match. */
  untilLogged(count: number, matches: (line: LogLine) => boolean): Promise<void>
  /** Sends the signal and resolves with the exit of the process. */
  stop(signal: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>
}

export type LogLine = Readonly<Record<string, unknown>>

export async function startHubChild(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<HubChild> {
  const child = new CommandChild(['start', '--port', '0', ...args], { env })
  const signInAddress = await child.until(
    'the address to open',
    (output) => /http:\/\/\S+#code=\S+(?=\s)/.exec(output)?.[0],
  )
  return {
    process: child.process,
    output: () => child.output,
    signInAddress,
    address: new URL(signInAddress).origin,
    async untilLogged(count, matches) {
      await child.until(
        `${count} lines of the log`,
        (output) => logLines(output).filter(matches).length >= count,
      )
    },
    async stop(signal) {
      const ended = once(child.process, 'exit') as Promise<[number | null, string | null]>
      child.process.kill(signal)
      const [code, by] = await ended
      return { code, signal: by }
    },
  }
}

function logLines(output: string): LogLine[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
  return lines.map((line) => JSON.parse(line) as LogLine)
}
