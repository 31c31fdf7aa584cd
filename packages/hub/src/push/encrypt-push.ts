// Encrypts a push message so that only the subscribed browser can read it (RFC 8291, with the encoding of RFC 8188).
import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'

export type BrowserKeys = { readonly p256dh: string; readonly auth: string }
/** New for each message, except in a test. */
type Ephemeral = { readonly ecdh: ECDH; readonly salt: Buffer }

/** Larger than any message, so that there is one record. */
const RECORD_BYTES = 4096
/** Marks the last record. */
const LAST = Buffer.from([2])

export function encryptPush(
  text: string,
  { p256dh, auth }: BrowserKeys,
  { ecdh, salt }: Ephemeral = newEphemeral(),
): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url')
  const ours = ecdh.getPublicKey()
  const shared = derive(ecdh.computeSecret(theirs), Buffer.from(auth, 'base64url'), {
    info: Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]),
    bytes: 32,
  })
  const info = (name: string) => Buffer.from(`Content-Encoding: ${name}\0`)
  const key = derive(shared, salt, { info: info('aes128gcm'), bytes: 16 })
  const nonce = derive(shared, salt, { info: info('nonce'), bytes: 12 })
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = [cipher.update(text, 'utf8'), cipher.update(LAST), cipher.final()]
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD_BYTES)
  head.writeUInt8(ours.length, 4)
  return Buffer.concat([salt, head, ours, ...record, cipher.getAuthTag()])
}

function newEphemeral(): Ephemeral {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return { ecdh, salt: randomBytes(16) }
}

type Derived = { readonly info: Buffer; readonly bytes: number }

function derive(secret: Buffer, salt: Buffer, { info, bytes }: Derived): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}
