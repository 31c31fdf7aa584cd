// The wire log: the newest frames of every agent in memory for the debug views, and all frames in files if configured.
import { basename, join } from 'node:path'
import type { WireFrame } from '@quayside/protocol'
import { HubError } from '../../../errors.js'
import type { Log } from '../../../log.js'
import type { Redactor } from '../redact/redact.js'
import { pruneWireFiles, WireFile } from './wire-file.js'
import {
  belongsTo,
  copyOfHead,
  type KeptLine,
  type WireDirection,
  WireReader,
  type WireSource,
} from './wire-frame.js'
import { type DroppedFrames, WireFollow } from './wire-follow.js'
import { readSessionFrames } from './wire-history.js'
import { WireRing } from './wire-ring.js'

export type { WireDirection } from './wire-frame.js'

/** Receives every line, complete and not redacted. For probes and checks, never for a log. */
export type WireTap = (direction: WireDirection, text: string) => void

export type WireFilter = {
  readonly process?: string
  readonly sessionId?: string
  readonly direction?: WireDirection
}

export type WireLogOptions = {
  /** The folder of the JSONL files, one per process. No files without it. */
  readonly folder?: string | undefined
  readonly redactor: Redactor
  readonly log: Log
}

/** Characters of a line that are kept in memory, and in a file. */
const KEPT_CHARS = 4 * 1024
const WRITTEN_CHARS = 64 * 1024
/** Ended processes whose frames are kept, for people who look into a crash. */
const MAX_CLOSED = 8
const MAX_SESSIONS = 1_000
/** Each follower may queue a few megabytes. */
const MAX_FOLLOWS = 16

export class WireLog {
  readonly #options: WireLogOptions
  readonly #ring = new WireRing()
  readonly #open = new Set<ProcessWire>()
  readonly #unfinished = new Set<Promise<void>>()
  readonly #follows = new Set<Follow>()
  #closed: ProcessWire[] = []
  #time = 0

  constructor(options: WireLogOptions) {
    this.#options = options
  }

  /** `name` is the extension's id and the pid; the file's name begins with it. */
  openProcess(name: string, tap?: WireTap): ProcessWire {
    const file = this.#openFile(name)
    const wire = new ProcessWire(name, {
      ...(file === undefined ? {} : { file }),
      ...(tap === undefined ? {} : { tap }),
      keep: (line) => this.#keep(line, wire),
      now: () => this.#now(),
      onClose: (closed, flushed) => this.#retire(closed, flushed),
    })
    this.#open.add(wire)
    this.#prune()
    return wire
  }

  /** The newest frames, oldest first, redacted. */
  recent(limit: number, filter: WireFilter = {}): WireFrame[] {
    const readers = new Map<WireSource, WireReader>()
    const { redactor } = this.#options
    const frames = this.#linesFor(filter).flatMap((line) => {
      const reader = readers.get(line.source) ?? new WireReader(redactor)
      readers.set(line.source, reader)
      const frame = reader.read(line)
      return matches(filter, line, frame) ? [frame] : []
    })
    return limit > 0 ? frames.slice(-limit) : []
  }

  /** The newest frames of a session, oldest first: from the files if there are any, else from memory. */
  async ofSession(sessionId: string, limit: number): Promise<WireFrame[]> {
    const { folder } = this.#options
    if (folder === undefined) return this.recent(limit, { sessionId })
    await Promise.all([...this.#open].map((wire) => wire.settle()))
    const frames = await readSessionFrames(folder, sessionId, limit)
    return frames.length > 0 ? frames : this.recent(limit, { sessionId })
  }

  /**
   * Yields the newest frames of a session in memory, then new ones, until `signal` aborts. Frames that come faster than
   * they are read are dropped and counted, as in the files.
   */
  async *follow(
    sessionId: string,
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<(WireFrame | DroppedFrames)[]> {
    if (this.#follows.size >= MAX_FOLLOWS)
      throw new HubError('connection_limit', {
        message: 'Too many clients follow wire logs. Close one first.',
      })
    const lines = new WireFollow(sessionId, this.#options.redactor)
    for (const line of this.#linesFor({ sessionId })) lines.take(line)
    const wires = new Set([...this.#open].filter((wire) => wire.hasSession(sessionId)))
    const follow = { sessionId, lines, wires }
    this.#follows.add(follow)
    try {
      yield* lines.pages(limit, signal)
    } finally {
      this.#follows.delete(follow)
    }
  }

  /** Resolves when every file is complete. */
  async close(): Promise<void> {
    for (const wire of this.#open) void wire.close()
    await Promise.all(this.#unfinished)
  }

  #keep(line: KeptLine, wire: ProcessWire): void {
    this.#ring.push(line)
    for (const { sessionId, lines, wires } of this.#follows) {
      if (wires.has(wire)) lines.take(line)
      else if (wire.hasSession(sessionId)) {
        // The process serves the session from now on, so its earlier lines belong to the session too.
        wires.add(wire)
        for (const kept of wire.lines()) lines.take(kept)
      }
    }
  }

  #linesFor({ process, sessionId }: WireFilter): KeptLine[] {
    if (process === undefined && sessionId === undefined) return this.#ring.lines()
    return [...this.#closed, ...this.#open]
      .filter((wire) => process === undefined || wire.name === process)
      .filter((wire) => sessionId === undefined || wire.hasSession(sessionId))
      .flatMap((wire) => wire.lines())
      .toSorted((a, b) => a.at - b.at)
  }

  /** Reads the clock once per event-loop tick, because it costs more than storing a line. */
  #now(): number {
    if (this.#time > 0) return this.#time
    this.#time = Date.now()
    setImmediate(() => (this.#time = 0))
    return this.#time
  }

  #retire(wire: ProcessWire, flushed: Promise<void>): void {
    this.#track(flushed)
    this.#open.delete(wire)
    this.#closed = [...this.#closed, wire].slice(-MAX_CLOSED)
  }

  #openFile(name: string): WireFile | undefined {
    const { folder, redactor, log } = this.#options
    if (folder === undefined) return undefined
    const time = new Date().toISOString().replaceAll(/[-:.]/g, '')
    const path = join(folder, `${fileName(name)}-${time}.jsonl`)
    return new WireFile({ path, reader: new WireReader(redactor), log })
  }

  #prune(): void {
    const { folder, log } = this.#options
    if (folder === undefined) return
    const paths = [...this.#open].flatMap(({ path }) => (path ? [path, `${path}.old`] : []))
    const inUse = new Set(paths)
    const pruned = pruneWireFiles(folder, inUse).catch((error: unknown) =>
      log.warn({ err: error, folder }, 'could not remove old wire logs'),
    )
    this.#track(pruned)
  }

  #track(work: Promise<void>): void {
    this.#unfinished.add(work)
    void work.finally(() => this.#unfinished.delete(work))
  }
}

type Follow = {
  readonly sessionId: string
  readonly lines: WireFollow
  /** The processes whose lines it receives. */
  readonly wires: Set<ProcessWire>
}

type ProcessWireOptions = {
  readonly file?: WireFile
  readonly tap?: WireTap
  keep(line: KeptLine): void
  now(): number
  onClose(wire: ProcessWire, flushed: Promise<void>): void
}

/** The wire log of one process. Storing a line costs one reference; decoding happens when it is read. */
export class ProcessWire {
  readonly name: string
  readonly #options: ProcessWireOptions
  readonly #source: WireSource
  readonly #ring = new WireRing()
  #stderrRest = ''
  #closing: Promise<void> | undefined

  constructor(name: string, options: ProcessWireOptions) {
    this.name = name
    this.#options = options
    this.#source = { process: name, sessions: new Map() }
  }

  get path(): string | undefined {
    return this.#options.file?.path
  }

  /** A line that the agent wrote, without its newline. */
  in(line: string): void {
    this.#keep('in', line)
  }

  /** A line that the hub wrote, without its newline. */
  out(line: string): void {
    this.#keep('out', line)
  }

  /** Split into whole lines, because a secret across two chunks would not be recognised. */
  stderr(text: string): void {
    const all = this.#stderrRest + text
    const lines = all.lastIndexOf('\n') + 1
    const end = all.length - lines > KEPT_CHARS ? all.length : lines
    if (end > 0) this.#keep('stderr', all.slice(0, end))
    this.#stderrRest = all.slice(end)
  }

  /** Maps an ACP session id to the hub's session, also for earlier frames. */
  setSession(acpSessionId: string, sessionId: string): void {
    const { sessions } = this.#source
    sessions.set(acpSessionId, sessionId)
    const [oldest] = sessions.keys()
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest)
  }

  hasSession(sessionId: string): boolean {
    for (const ours of this.#source.sessions.values()) if (ours === sessionId) return true
    return false
  }

  lines(): KeptLine[] {
    return this.#ring.lines()
  }

  /** Resolves when the file has all lines so far. */
  async settle(): Promise<void> {
    await this.#options.file?.settle()
  }

  /** Resolves when the file is complete. */
  close(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing
    if (this.#stderrRest !== '') this.#keep('stderr', this.#stderrRest)
    this.#stderrRest = ''
    this.#closing = this.#options.file?.close() ?? Promise.resolve()
    this.#options.onClose(this, this.#closing)
    return this.#closing
  }

  #keep(direction: WireDirection, text: string): void {
    if (text === '') return
    this.#options.tap?.(direction, text)
    const at = this.#options.now()
    if (text.length > KEPT_CHARS) return this.#keepLong(at, direction, text)
    const line = { at, direction, source: this.#source, text, bytes: -1, cut: false }
    this.#ring.push(line)
    this.#options.keep(line)
    this.#options.file?.append(line)
  }

  /** Copies short lines before a long one: as slices of the same chunk they would keep all of it in memory. */
  #keepLong(at: number, direction: WireDirection, text: string): void {
    this.#ring.detach()
    const bytes = Buffer.byteLength(text)
    const common = { at, direction, source: this.#source, bytes }
    const line = { ...common, text: copyOfHead(text, KEPT_CHARS), cut: true }
    this.#ring.push(line)
    this.#options.keep(line)
    const cut = text.length > WRITTEN_CHARS
    const written = cut ? copyOfHead(text, WRITTEN_CHARS) : text
    this.#options.file?.append({ ...common, text: written, cut })
  }
}

function matches(filter: WireFilter, line: KeptLine, frame: WireFrame): boolean {
  if (filter.direction !== undefined && filter.direction !== line.direction) return false
  return filter.sessionId === undefined || belongsTo(filter.sessionId, line, frame)
}

function fileName(name: string): string {
  return (
    basename(name)
      .replaceAll(/[^A-Za-z0-9_.-]/g, '_')
      .slice(0, 100) || 'agent'
  )
}
