// Makes a self-signed certificate: the DER of one fixed form (X.509 v3, ECDSA with P-256). Node makes the key and the signature.
import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'

const OIDS = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
}

export type SelfSignedInput = {
  readonly key: KeyObject
  /** Host names and IP addresses. */
  readonly names: readonly string[]
  readonly notBefore: Date
  readonly notAfter: Date
}

/** The certificate as PEM. */
export function selfSigned({ key, names, notBefore, notAfter }: SelfSignedInput): string {
  const algorithm = sequence(oid(OIDS.ecdsaWithSha256))
  const subject = sequence(set(sequence(oid(OIDS.commonName), der(0x0c, 'Quayside hub'))))
  const extensions = sequence(
    extension(OIDS.subjectAltName, sequence(...names.map(alternativeName))),
    // Not a certificate authority: it cannot sign other certificates.
    extension(OIDS.basicConstraints, sequence(), TRUE),
    extension(OIDS.keyUsage, der(0x03, DIGITAL_SIGNATURE), TRUE),
    extension(OIDS.extendedKeyUsage, sequence(oid(OIDS.serverAuth))),
  )
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    subject,
    sequence(time(notBefore), time(notAfter)),
    subject,
    createPublicKey(key).export({ format: 'der', type: 'spki' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, key))
  const lines = sequence(body, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)
  return `-----BEGIN CERTIFICATE-----\n${lines?.join('\n')}\n-----END CERTIFICATE-----\n`
}

const TRUE = Buffer.from([0x01, 0x01, 0xff])
/** The first bit of a bit string, and the count of unused bits before it. */
const DIGITAL_SIGNATURE = Buffer.from([0x07, 0x80])

function extension(id: string, value: Buffer, ...critical: readonly Buffer[]): Buffer {
  return sequence(oid(id), ...critical, der(0x04, value))
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 0 ? der(0x82, name) : der(0x87, addressBytes(name))
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const zeros = 8 - groups(head).length - groups(tail ?? '').length
  const middle = tail === undefined ? [] : Array<string>(zeros).fill('0')
  const all = [...groups(head), ...middle, ...groups(tail ?? '')]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/** UTCTime has two digits for the year, until 2049. */
function time(date: Date): Buffer {
  const text = `${date.toISOString().replaceAll(/[-:T]|\.\d+Z$/g, '')}Z`
  return date.getUTCFullYear() < 2050 ? der(0x17, text.slice(2)) : der(0x18, text)
}

/** Adds a zero byte when the first bit is set, which would make the number negative. */
function integer(bytes: Buffer): Buffer {
  return (bytes[0] ?? 0) < 0x80 ? der(0x02, bytes) : der(0x02, Buffer.from([0]), bytes)
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(number: number): number[] {
  const bytes = [number & 0x7f]
  for (let left = number >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80)
  return bytes
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function set(...parts: readonly Buffer[]): Buffer {
  return der(0x31, ...parts)
}

/** A tag, the length and the content. */
function der(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const { length } = content
  const size = length < 0x80 ? [length] : longLength(length)
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function longLength(length: number): number[] {
  const bytes = length < 0x100 ? [length] : [length >>> 8, length & 0xff]
  return [0x80 | bytes.length, ...bytes]
}
