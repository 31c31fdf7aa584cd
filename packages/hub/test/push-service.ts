// A push service for tests, and subscribed browsers that decrypt their messages as in RFC 8291.
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export class PushService implements AsyncDisposable {
  /** The status of its next answers. */
  status = 201
  readonly #server: Server
  readonly #devices = new Map<string, PushedDevice>()

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response))
  }

  static async start(): Promise<PushService> {
    const service = new PushService()
    service.#server.listen(0, '127.0.0.1')
    await once(service.#server, 'listening')
    return service
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  newDevice(): PushedDevice {
    const path = `/device-${this.#devices.size}`
    const device = new PushedDevice(`${this.origin}${path}`)
    this.#devices.set(path, device)
    return device
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    this.#devices.get(request.url ?? '')?.receive(request.headers, body)
    response.writeHead(this.status).end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

export type Received = { readonly headers: IncomingHttpHeaders; readonly message: unknown }

export class PushedDevice {
  readonly #endpoint: string
  readonly #ecdh = createECDH('prime256v1')
  readonly #auth = randomBytes(16)
  readonly #received: Received[] = []
  #onReceived = () => {}

  constructor(endpoint: string) {
    this.#endpoint = endpoint
    this.#ecdh.generateKeys()
  }

  /** In the form a browser provides. */
  subscription(kinds: readonly string[] = ['needsYou', 'finished', 'failed']) {
    const p256dh = this.#ecdh.getPublicKey('base64url')
    const keys = { p256dh, auth: this.#auth.toString('base64url') }
    return { endpoint: this.#endpoint, keys, kinds }
  }

  receive(headers: IncomingHttpHeaders, body: Buffer): void {
    this.#received.push({ headers, message: JSON.parse(this.#decrypt(body)) })
    this.#onReceived()
  }

  /** The next message that was not read yet. */
  async next(): Promise<Received> {
    for (;;) {
      const received = this.#received.shift()
      if (received) return received
      await new Promise<void>((resolve) => (this.#onReceived = resolve))
    }
  }

  /** The number of messages that were not read yet. */
  get unread(): number {
    return this.#received.length
  }

  #decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16)
    const keyEnd = 21 + body.readUInt8(20)
    const theirs = body.subarray(21, keyEnd)
    const info = ['WebPush: info\0', this.#ecdh.getPublicKey(), theirs]
    const derive = (secret: Buffer, by: Buffer, about: readonly (string | Buffer)[]) => {
      const whole = Buffer.concat(about.map((part) => Buffer.from(part as string)))
      return Buffer.from(hkdfSync('sha256', secret, by, whole, 32))
    }
    const shared = derive(this.#ecdh.computeSecret(theirs), this.#auth, info)
    const key = derive(shared, salt, ['Content-Encoding: aes128gcm\0']).subarray(0, 16)
    const nonce = derive(shared, salt, ['Content-Encoding: nonce\0']).subarray(0, 12)
    const opened = createDecipheriv('aes-128-gcm', key, nonce)
    opened.setAuthTag(body.subarray(-16))
    const record = Buffer.concat([opened.update(body.subarray(keyEnd, -16)), opened.final()])
    return record.subarray(0, record.lastIndexOf(2)).toString('utf8')
  }
}
