// Everything that a command has of the process it runs in. `main.ts` connects the real one.
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
  /** How the command ends, unless it fails. */
  exitCode: number
  /** Ends everything at once, for what must not wait: a second Ctrl-C, a reader of stdout that has gone. */
  exit(code: number): void
  /** `listener` is called for every such signal, until the answer is called. */
  onSignal(signal: 'SIGINT' | 'SIGTERM', listener: () => void): () => void
}

/** As a person wrote it, for messages, when it leads to the same file from this process. */
export function pathFrom({ cwd }: CommandIo, path: string): string {
  const whole = resolve(cwd, path)
  return whole === resolve(path) ? path : whole
}

/** Whoever reads stdout may have seen enough, as `head` has. */
export function exitWhenReaderLeaves(io: CommandIo, code: number): void {
  io.stdout.once('error', () => io.exit(code))
}
