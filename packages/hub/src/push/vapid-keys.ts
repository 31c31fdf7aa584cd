// The hub's key pair for Web Push (RFC 8292), by which push services identify the sender. Created once, stored in the data directory,
// or in the database that several hubs share.
import {
  createPrivateKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PUSH_KEYS_FILE, writeDurably } from '../store/data-files.js'
import { PUSH_KEY, type SharedStore } from '../store/shared-store.js'

type PublishedKey = JsonWebKey & { readonly x: string; readonly y: string }

const TOKEN_LIFETIME_S = 12 * 60 * 60
/** Push services require a contact; a hub on a personal machine has no mailbox. */
const CONTACT = 'mailto:quayside@example.com'

export class VapidKeys {
  /** The uncompressed point in base64url, as browsers expect it. */
  readonly publicKey: string
  readonly #privateKey: KeyObject

  private constructor({ x, y, ...key }: PublishedKey) {
    const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
    this.publicKey = Buffer.concat(point).toString('base64url')
    this.#privateKey = createPrivateKey({ key: { ...key, x, y }, format: 'jwk' })
  }

  /** The first hub of a shared database brings its key: its devices are subscribed by it. */
  static async open(dataDir: string, shared?: Pick<SharedStore, 'keep'>): Promise<VapidKeys> {
    const file = join(dataDir, PUSH_KEYS_FILE)
    const isThere = existsSync(file)
    if (shared) {
      const own = JSON.stringify(isThere ? read(file) : newKey())
      return new VapidKeys(JSON.parse(await shared.keep(PUSH_KEY, own)) as PublishedKey)
    }
    if (!isThere) writeDurably(file, `${JSON.stringify(newKey())}\n`)
    return new VapidKeys(read(file))
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

function read(file: string): PublishedKey {
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
