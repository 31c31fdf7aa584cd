// What the hub and the host of a person's terminal say to each other: lines of JSON. A host may be older than the hub
// that finds it, so this only grows.
import type { Readable } from 'node:stream'
import type { Terminal, TerminalExit, TerminalPiece } from '@quayside/protocol'

/** What a host reads from its stdin when it starts. */
export type HostLaunch = {
  readonly terminal: Omit<Terminal, 'pid' | 'exit'>
  readonly env: Readonly<Record<string, string>>
  readonly socketPath: string
  /** How long it keeps the output of a terminal that has ended. */
  readonly keepExitedMs: number
}

/** The one line that a host writes to its stdout. */
export type HostStarted = { readonly error: HostFailure | null }
export type HostFailure = { readonly code: 'no_pty' | 'failed'; readonly message: string }

export type HostCommand =
  | { readonly do: 'follow'; readonly after: number }
  | { readonly do: 'input'; readonly data: string }
  | { readonly do: 'resize'; readonly cols: number; readonly rows: number }
  | { readonly do: 'end' }

export type HostFrame =
  /** The first frame on every connection, and again when something changed. */
  | { readonly is: 'state'; readonly hostPid: number; readonly terminal: Terminal }
  /** To those who follow, and after all of it the end. */
  | ({ readonly is: 'output' } & TerminalPiece)
  | { readonly is: 'exited'; readonly exit: TerminalExit | null }

/** A piece of output in JSON is at most six times its size. */
const MAX_LINE_LENGTH = 1024 * 1024

/** Ends with the connection. The next line is read only when it is asked for, so the other side has to wait. */
export async function* readLines(stream: Readable): AsyncGenerator<string, void> {
  let rest = ''
  stream.setEncoding('utf8')
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > MAX_LINE_LENGTH) throw new Error('A line of a terminal host has no end.')
  }
}

export function toLine(message: HostCommand | HostFrame | HostStarted): string {
  return `${JSON.stringify(message)}\n`
}
