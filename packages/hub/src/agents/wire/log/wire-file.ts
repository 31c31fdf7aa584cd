// Writes a process's wire traffic to a JSONL file: queues lines up to a limit, decodes and writes them in the background.
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { within } from '../../../deadline.js'
import type { Log } from '../../../log.js'
import type { KeptLine, WireReader } from './wire-frame.js'

/** A file that would exceed this is renamed to `<name>.old`, replacing the previous one. */
export const MAX_WIRE_FILE_BYTES = 2_000_000
const MAX_WIRE_FILES = 50
const MAX_WAITING_CHARS = 8 * 1024 * 1024
const MAX_WAITING_LINES = 50_000
const BATCH_CHARS = 128 * 1024
/** Time to decode lines before yielding to the event loop. */
const BATCH_MS = 4
const SETTLE_MS = 1_000

type Waiting = KeptLine | { readonly at: number; readonly dropped: number }

export type WireFileOptions = {
  readonly path: string
  readonly reader: WireReader
  readonly log: Log
  readonly maxBytes?: number
  readonly maxWaitingChars?: number
}

export class WireFile {
  readonly #options: WireFileOptions
  readonly #maxBytes: number
  readonly #maxWaitingChars: number
  #waiting: (Waiting | undefined)[] = []
  #next = 0
  #waitingChars = 0
  #dropped = 0
  #writing: Promise<void> | undefined
  #file: FileHandle | undefined
  #size = 0
  #isClosed = false

  constructor(options: WireFileOptions) {
    this.#options = options
    this.#maxBytes = options.maxBytes ?? MAX_WIRE_FILE_BYTES
    this.#maxWaitingChars = options.maxWaitingChars ?? MAX_WAITING_CHARS
  }

  get path(): string {
    return this.#options.path
  }

  /** Never blocks. When the disk is too slow, lines are dropped, and the file records their number. */
  append(line: KeptLine): void {
    if (this.#isClosed) return
    const isFull =
      this.#waitingChars > this.#maxWaitingChars ||
      this.#waiting.length - this.#next >= MAX_WAITING_LINES
    if (isFull) {
      this.#dropped += 1
      return
    }
    if (this.#dropped > 0) this.#admitDropped(line.at)
    this.#waiting.push(line)
    this.#waitingChars += line.text.length
    this.#writing ??= this.#write()
  }

  /** Resolves when the queue is empty, or after a second, because a flood never empties it. */
  async settle(): Promise<void> {
    if (this.#writing) await within(this.#writing, SETTLE_MS)
  }

  /** Writes the queued lines. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
    await this.#file?.close().catch(() => undefined)
    this.#file = undefined
  }

  async #write(): Promise<void> {
    try {
      // Later than `append`, so that the agent's stdout is read first.
      await setImmediate()
      this.#file ??= await this.#open()
      while (this.#next < this.#waiting.length || this.#dropped > 0)
        await this.#append(Buffer.from(this.#takeBatch()))
    } catch (error) {
      this.#giveUp(error)
    } finally {
      this.#writing = undefined
    }
  }

  #takeBatch(): string {
    const until = performance.now() + BATCH_MS
    let batch = ''
    while (this.#next < this.#waiting.length && batch.length < BATCH_CHARS) {
      batch += this.#take()
      if (performance.now() > until) break
    }
    if (this.#next < this.#waiting.length) return batch
    this.#waiting = []
    this.#next = 0
    if (this.#dropped > 0) this.#admitDropped(Date.now())
    return batch
  }

  #take(): string {
    const waiting = this.#waiting[this.#next]
    this.#waiting[this.#next] = undefined
    this.#next += 1
    if (waiting === undefined) return ''
    // Under a steady stream the queue is never empty, so free its written half here.
    if (this.#next >= MAX_WAITING_LINES) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    if ('dropped' in waiting) return `${JSON.stringify(waiting)}\n`
    this.#waitingChars -= waiting.text.length
    return `${JSON.stringify(this.#options.reader.read(waiting))}\n`
  }

  #admitDropped(at: number): void {
    this.#waiting.push({ at, dropped: this.#dropped })
    this.#dropped = 0
  }

  async #append(bytes: Buffer): Promise<void> {
    if (this.#size > 0 && this.#size + bytes.length > this.#maxBytes) await this.#rotate()
    await this.#file?.appendFile(bytes)
    this.#size += bytes.length
  }

  async #open(): Promise<FileHandle> {
    const { path } = this.#options
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'a', 0o600)
    await file.chmod(0o600)
    this.#size = (await file.stat()).size
    if (this.#size < this.#maxBytes) return file
    await file.close()
    await rename(path, `${path}.old`)
    return this.#open()
  }

  async #rotate(): Promise<void> {
    const { path } = this.#options
    await this.#file?.close()
    this.#file = undefined
    await rename(path, `${path}.old`)
    this.#file = await this.#open()
  }

  /** The debug log must not disturb the agent: warn once, and write no more lines. */
  #giveUp(error: unknown): void {
    this.#isClosed = true
    this.#waiting = []
    this.#next = 0
    this.#dropped = 0
    const { path, log } = this.#options
    log.warn({ err: error, path }, 'could not write the wire log; it is off for this agent')
  }
}

/** Removes the oldest wire files, so that at most fifty remain, counting those `inUse`, which are kept. */
export async function pruneWireFiles(folder: string, inUse: ReadonlySet<string>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = (await readdir(folder)).filter((name) => /\.jsonl(?:\.old)?$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const found = await stat(path).catch(() => undefined)
      return { path, at: found?.mtimeMs ?? 0 }
    }),
  )
  const idle = files.filter(({ path }) => !inUse.has(path)).toSorted((a, b) => b.at - a.at)
  const kept = Math.max(0, MAX_WIRE_FILES - inUse.size)
  await Promise.all(idle.slice(kept).map(({ path }) => rm(path, { force: true })))
}
