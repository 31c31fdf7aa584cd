// The streams, environment, folder and signals of a command. `main.ts` passes those of the process, tests pass their own.
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'

export type CommandInput = Readable & {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
}

export type CommandOutput = Writable & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

export type CommandIo = {
  readonly stdin: CommandInput
  readonly stdout: CommandOutput
  readonly stderr: CommandOutput
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The exit code, unless the command throws. */
  exitCode: number
  /** Ends the process at once: after a second Ctrl-C, or when the reader of stdout has closed it. */
  exit(code: number): void
  /** Calls `listener` for every such signal, until the returned function is called. */
  onSignal(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): () => void
}

/** A path relative to the command's folder. It stays as the person typed it when it leads to the same file from this process. */
export function pathFrom({ cwd }: CommandIo, path: string): string {
  const whole = resolve(cwd, path)
  return whole === resolve(path) ? path : whole
}

/** Exits when the reader of stdout closes it, as `head` does. */
export function exitWhenStdoutCloses(io: CommandIo, code: number): void {
  io.stdout.once('error', () => io.exit(code))
}
