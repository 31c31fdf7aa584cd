// Changes JSON values at random: wrong types, odd names, depth, size, broken bytes. The same numbers from `random` give the same text.

const MAX_STRING = 100_000
/** Raw JSON that replaces a string with its number. */
const RAW = /"@raw(\d+)@"/g

export class FuzzJson {
  readonly #random: () => number
  #raw: string[] = []

  constructor(random: () => number) {
    this.#random = random
  }

  chance(part: number): boolean {
    return this.#random() < part
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  /** The value as text, with up to `maxChanges` changed fields. */
  textOf(value: object, maxChanges = 3): string {
    this.#raw = []
    const copy = structuredClone(value) as Record<string, unknown>
    for (let times = this.below(maxChanges + 1); times > 0; times -= 1) this.#mutateValue(copy)
    const text = JSON.stringify(copy).replaceAll(RAW, (_, at: string) => this.#raw[Number(at)]!)
    return this.chance(0.1) ? this.#duplicateKey(text) : text
  }

  /** Changes one field somewhere in the value. */
  #mutateValue(value: Record<string, unknown>): void {
    let target = value
    for (;;) {
      const key = this.pick(Object.keys(target))
      if (key === undefined) return
      const inner = target[key]
      const isInner = typeof inner === 'object' && inner !== null && !this.chance(0.25)
      if (!isInner) return this.#mutateField(target, key)
      target = inner as Record<string, unknown>
    }
  }

  #mutateField(target: Record<string, unknown>, key: string): void {
    const names = ['__proto__', 'constructor', 'toString', 'length', '', '\u0000', 'type', '_meta']
    const change = Array.isArray(target) ? 9 : this.below(10)
    if (change === 0) delete target[key]
    else if (change === 1) Object.defineProperty(target, this.pick(names), fieldOf(target[key]))
    else if (change === 2) target[this.pick(names)] = this.#weird()
    else target[key] = this.#weird()
  }

  /** A placeholder, because JSON.stringify cannot write most of these values. */
  #weird(): string {
    this.#raw.push(this.weirdJson())
    return `@raw${this.#raw.length - 1}@`
  }

  weirdJson(): string {
    const size = this.chance(0.03) ? this.below(MAX_STRING) : this.below(50)
    const depth = this.chance(0.1) ? this.below(20_000) : this.below(30)
    return this.pick([
      'null',
      'true',
      '0',
      '-1',
      '1e308',
      '1e999',
      '-0.0000001',
      '9007199254740993',
      '123456789012345678901234567890',
      '""',
      '[]',
      '{}',
      '"\\ud800"',
      '"\\udc00\\ud800 lone"',
      '"\\u0000"',
      '{"__proto__":{"polluted":true}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"type":"text"}',
      '{"type":"text","text":null}',
      '"agent_message_chunk"',
      '"tool_call"',
      '"plan"',
      '"fuzz-1"',
      '"someone-else"',
      `"${'x'.repeat(size)}"`,
      `"${'😀'.repeat(size >> 2)}"`,
      `"${'\\u0007'.repeat(size >> 3)}"`,
      `[${'0,'.repeat(size)}0]`,
      `${'['.repeat(depth)}${']'.repeat(depth)}` || '[]',
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    ])
  }

  #duplicateKey(text: string): string {
    const at = text.indexOf('{', this.below(text.length))
    const key = this.pick(['method', 'id', 'params', 'sessionUpdate', 'sessionId', '__proto__'])
    const value = this.weirdJson()
    return at === -1 ? text : `${text.slice(0, at + 1)}"${key}":${value},${text.slice(at + 1)}`
  }

  /** Cuts, repeats or inserts bytes. */
  mutateBytes(bytes: Buffer): Buffer {
    const at = this.below(bytes.length + 1)
    const insert = (...added: number[]) =>
      Buffer.concat([bytes.subarray(0, at), Buffer.from(added), bytes.subarray(at)])
    switch (this.below(8)) {
      case 0:
        return bytes.subarray(0, at)
      case 1:
        return bytes.subarray(at)
      case 2:
        return Buffer.concat([bytes.subarray(0, at), bytes])
      case 3:
        return insert(0xff, 0xc3, 0xe2, 0x82)
      case 4:
        return insert(this.below(32))
      case 5:
        return insert(0)
      case 6:
        return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])
      default:
        return insert(this.below(256), this.below(256))
    }
  }
}

/** Sets an own, enumerable property, also one called `__proto__`. */
function fieldOf(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true }
}
