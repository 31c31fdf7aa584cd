// One real pipe for both stdout and stderr of a command, so that its lines stay in order.
import { execFile } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type OutputPipe = {
  readonly reader: Socket
  /** For the child. Close it with `closeWriter` after the spawn, or the output never ends. */
  readonly writer: number
  closeWriter(): void
}

/**
 * Node's own 'pipe' is a socket pair per stream: the order between the two is lost, and a script that writes to
 * /dev/stderr fails with ENXIO. Node cannot create a pipe, but it can open a FIFO, which is a named pipe.
 */
export async function openOutputPipe(): Promise<OutputPipe> {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-output-'))
  try {
    const path = join(folder, 'output')
    await promisify(execFile)('mkfifo', ['-m', '600', path])
    // Open the reader first, without blocking, because opening a FIFO for writing waits for a reader.
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = openWriter(path, reading)
    const reader = new Socket({ fd: reading, readable: true, writable: false })
    return { reader, writer, closeWriter: () => closeSync(writer) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function openWriter(path: string, reading: number): number {
  try {
    return openSync(path, constants.O_WRONLY)
  } catch (error) {
    closeSync(reading)
    throw error
  }
}
