// Makes hostile lines from valid frames: wrong types, broken bytes, odd ids, batches, depth, size. The same numbers
// from `random` give the same lines.
import { requests, responses, updates } from './fuzz-frames.js'
import { LineSplitter, parseLine } from '../src/agents/wire/frames.js'
import { FuzzJson } from './fuzz-json.js'

export type FuzzOptions = {
  readonly random: () => number
  /** Responses to requests of the hub that are still open. */
  readonly mayAnswer: boolean
}

export class FuzzLines {
  readonly #mayAnswer: boolean
  readonly #json: FuzzJson

  constructor(options: FuzzOptions) {
    this.#mayAnswer = options.mayAnswer
    this.#json = new FuzzJson(options.random)
  }

  /** One line without its newline, as bytes. */
  next(): Buffer {
    for (;;) {
      const line = this.#draw()
      if (this.#mayAnswer || !isAnswer(line)) return line
    }
  }

  #draw(): Buffer {
    const text = this.#json.chance(0.1) ? this.#batch() : this.#frame()
    return this.#json.chance(0.4) ? this.#json.mutateBytes(Buffer.from(text)) : Buffer.from(text)
  }

  /** Lines with their newlines, cut into writes at random positions. */
  writes(count: number): Buffer[] {
    const ends = ['\n', '\n', '\n', '\r\n', '\n\n']
    const lines = Array.from({ length: count }, () => [
      this.next(),
      Buffer.from(this.#json.pick(ends)),
    ])
    const bytes = Buffer.concat(lines.flat())
    const writes: Buffer[] = []
    for (let at = 0; at < bytes.length;) {
      const size = this.#json.chance(0.2) ? 1 + this.#json.below(20) : 1 + this.#json.below(60_000)
      writes.push(bytes.subarray(at, at + size))
      at += size
    }
    return writes
  }

  #batch(): string {
    const frames = Array.from({ length: this.#json.below(6) }, () =>
      this.#json.chance(0.2) ? this.#json.weirdJson() : this.#frame(),
    )
    return `[${frames.join(',')}]`
  }

  #frame(): string {
    const frame = this.#json.pick<Readonly<Record<string, unknown>>>(this.#corpus())
    const isRenumbered = 'id' in frame && this.#json.chance(0.5)
    return this.#json.textOf(isRenumbered ? { ...frame, id: this.#id() } : frame)
  }

  #corpus() {
    if (this.#mayAnswer && this.#json.chance(0.05)) return responses
    return this.#json.chance(0.2) ? requests : updates
  }

  /** The hub's ids are small whole numbers. */
  #id(): unknown {
    const odd = ['x', null, 1.5, -1, 2 ** 53, {}, [], true, '', '__proto__', 'asked-1']
    return this.#mayAnswer && this.#json.chance(0.5)
      ? this.#json.pick([this.#json.below(20), String(this.#json.below(20))])
      : this.#json.pick(odd)
  }
}

/** Changes can turn any frame into one that answers a request of the hub. */
function isAnswer(line: Buffer): boolean {
  const splitter = new LineSplitter()
  const frames = [...splitter.push(line), ...splitter.end()].flatMap(parseLine)
  return frames.some((frame) => frame.is === 'response' || (frame.is === 'junk' && 'id' in frame))
}
