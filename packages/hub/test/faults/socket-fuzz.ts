// Frames that are made to harm a WebSocket: every request of the table with changed params, broken JSON, and bytes that are no frames.
import { SOCKET_REQUESTS } from '@quayside/protocol/schemas'
import { FuzzJson } from '../fuzz-json.js'
import { type KnownValues, SchemaValues } from './schema-values.js'

/** Of the ACP endpoint; their params are drawn from the known values. */
const ACP_METHODS: Readonly<Record<string, readonly string[]>> = {
  initialize: ['protocolVersion', 'clientCapabilities'],
  authenticate: ['methodId'],
  'session/new': ['cwd', 'mcpServers', '_meta'],
  'session/load': ['sessionId', 'cwd', 'mcpServers'],
  'session/resume': ['sessionId', 'cwd'],
  'session/list': ['cwd', 'cursor'],
  'session/prompt': ['sessionId', 'prompt'],
  'session/cancel': ['sessionId'],
  'session/set_mode': ['sessionId', 'modeId'],
  'session/set_config_option': ['sessionId', 'configId', 'value'],
  '$/cancel_request': ['requestId'],
  '_quayside/x': ['x'],
}

export class SocketFuzz {
  readonly #json: FuzzJson
  readonly #values: SchemaValues
  #frames = 0

  constructor(random: () => number, known: KnownValues) {
    this.#json = new FuzzJson(random)
    this.#values = new SchemaValues(this.#json, known)
  }

  chance(part: number): boolean {
    return this.#json.chance(part)
  }

  /** A text or binary message for the hub's own socket. */
  message(): string | Buffer {
    const [method, { params }] = this.#json.pick([...SOCKET_REQUESTS])
    const request = this.#request(method, this.#values.objectOf(params))
    if (this.#json.chance(0.05)) return this.#json.weirdJson()
    if (this.#json.chance(0.05)) return `[${request},${this.#json.weirdJson()},${request}]`
    const isCut = this.#json.chance(0.15)
    return isCut ? this.#json.mutateBytes(Buffer.from(request)) : request
  }

  /** A text message for the ACP endpoint. */
  acpMessage(): string {
    const [method, names] = this.#json.pick(Object.entries(ACP_METHODS))
    return this.#request(
      method,
      Object.fromEntries(names.map((name) => [name, this.#values.named(name)])),
    )
  }

  /** Bytes after the handshake that break the rules of RFC 6455, or only keep the server waiting. */
  bytes(): Buffer {
    const frame = (first: number, second: number, ...rest: number[]): Buffer =>
      Buffer.from([first, second, ...rest])
    const mask = [1, 2, 3, 4]
    return this.#json.pick([
      () => frame(0x81, 0x05, 1, 2, 3, 4, 5),
      () => frame(0xf1, 0x80, ...mask),
      () => frame(0x83, 0x80, ...mask),
      () => frame(0x89, 0xfe, 0xff, 0xff, ...mask),
      () => frame(0x09, 0x80, ...mask),
      () => frame(0x80, 0x80, ...mask),
      () => frame(0x88, 0x81, ...mask, 0),
      () => frame(0x88, 0x82, ...mask, 0xff, 0xff),
      () => frame(0x81, 0x82, ...mask, 0xfe, 0xfd),
      () => frame(0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, ...mask),
      () => frame(0x81, 0xff, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, ...mask),
      () => frame(0x01, 0x81, ...mask, 0x20),
      () => Buffer.from(Array.from({ length: 64 }, () => this.#json.below(256))),
      () => Buffer.concat(Array.from({ length: 200 }, () => frame(0x89, 0x80, ...mask))),
    ])()
  }

  #request(method: string, params: object): string {
    this.#frames += 1
    const request = { jsonrpc: '2.0', id: `fuzz-${this.#frames}`, method, params }
    return this.#json.textOf(request, this.#json.chance(0.5) ? 0 : 3)
  }
}
