// The protocol between the hub and the host of a person's terminal: lines of JSON. A host may be older than the hub,
// so the protocol only grows.
import type { Readable } from 'node:stream'
import type { Terminal, TerminalExit, TerminalPiece } from '@quayside/protocol'

/** The input of a host on stdin. */
export type HostLaunch = {
  readonly terminal: Omit<Terminal, 'pid' | 'exit'>
  readonly env: Readonly<Record<string, string>>
  readonly socketPath: string
  /** The host keeps the output of an ended terminal this long. */
  readonly keepExitedMs: number
}

/** The only line that a host writes to stdout. */
export type HostStarted = { readonly error: HostFailure | null }
export type HostFailure = { readonly code: 'no_pty' | 'failed'; readonly message: string }

export type HostCommand =
  | { readonly do: 'follow'; readonly after: number }
  | { readonly do: 'input'; readonly data: string }
  | { readonly do: 'resize'; readonly cols: number; readonly rows: number }
  | { readonly do: 'end' }

export type HostFrame =
  /** The first frame on every connection, and after each change. */
  | { readonly is: 'state'; readonly hostPid: number; readonly terminal: Terminal }
  /** For followers: the output, then the exit. */
  | ({ readonly is: 'output' } & TerminalPiece)
  | { readonly is: 'exited'; readonly exit: TerminalExit | null }

/** JSON escapes enlarge a piece of output at most six times. */
const MAX_LINE_LENGTH = 1024 * 1024

/** Ends with the connection. Reads the next line only on demand, which gives backpressure. */
export async function* readLines(stream: Readable): AsyncGenerator<string, void> {
  let rest = ''
  stream.setEncoding('utf8')
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > MAX_LINE_LENGTH) throw new Error('A line from a terminal host is too long.')
  }
}

export function toLine(message: HostCommand | HostFrame | HostStarted): string {
  return `${JSON.stringify(message)}\n`
}
