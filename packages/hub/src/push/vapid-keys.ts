// The hub's key pair for Web Push (RFC 8292), by which push services identify the sender. Created once, stored in the data directory.
import {
  createPrivateKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from '../store/data-files.js'

const KEYS_FILE = 'push-keys.json'
const TOKEN_LIFETIME_S = 12 * 60 * 60
/** Push services require a contact; a hub on a personal machine has no mailbox. */
const CONTACT = 'mailto:quayside@example.com'

export class VapidKeys {
  /** The uncompressed point in base64url, as browsers expect it. */
  readonly publicKey: string
  readonly #privateKey: KeyObject

  constructor(dataDir: string) {
    const file = join(dataDir, KEYS_FILE)
    if (!existsSync(file)) writeDurably(file, `${JSON.stringify(newKey())}\n`)
    const { x, y, ...key } = read(file)
    const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
    this.publicKey = Buffer.concat(point).toString('base64url')
    this.#privateKey = createPrivateKey({ key: { ...key, x, y }, format: 'jwk' })
  }

  /** The value of the Authorization header for a push service. */
  authorization(origin: string): string {
    const exp = Math.floor(Date.now() / 1000) + TOKEN_LIFETIME_S
    const parts = [
      { typ: 'JWT', alg: 'ES256' },
      { aud: origin, exp, sub: CONTACT },
    ]
    const signed = parts
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const
    const signature = sign('sha256', Buffer.from(signed), key).toString('base64url')
    return `vapid t=${signed}.${signature}, k=${this.publicKey}`
  }
}

function newKey(): JsonWebKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return privateKey.export({ format: 'jwk' })
}

function read(file: string): JsonWebKey & { readonly x: string; readonly y: string } {
  try {
    const key = JSON.parse(readFileSync(file, 'utf8')) as JsonWebKey
    if (key.x === undefined || key.y === undefined) throw new Error('no public key')
    return { ...key, x: key.x, y: key.y }
  } catch {
    // Without the cause: its message may contain the key.
    throw new Error(
      `${file} is damaged. Remove it: devices subscribe again when their page is opened.`,
    )
  }
}
