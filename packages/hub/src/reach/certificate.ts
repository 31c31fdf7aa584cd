// The certificate of a hub that serves TLS itself: the given one, or its own, which is made once and kept in the data directory.
import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config/config.js'
import { messageOfError } from '../errors.js'
import { writeDurably } from '../store/data-files.js'
import { ownNames } from './own-addresses.js'
import { selfSigned } from './self-signed.js'

export type Certificate = {
  /** PEM, with the chain if there is one. */
  readonly cert: string
  readonly key: string
  /** SHA-256 of the certificate, as browsers show it: `AB:CD:…`. */
  readonly fingerprint: string
  /** True when no authority signed it. Browsers warn once then. */
  readonly isSelfSigned: boolean
}

const CERT_FILE = 'tls-cert.pem'
const KEY_FILE = 'tls-key.pem'
const DAY_MS = 24 * 60 * 60_000
/** Apple's devices refuse certificates with a longer lifetime. */
const LIFETIME_MS = 800 * DAY_MS
const RENEW_BEFORE_MS = 30 * DAY_MS

/** Undefined without TLS. Throws `ConfigError` when the given files are not a certificate and its key. */
export function openCertificate(config: Config): Certificate | undefined {
  if (config.tls === undefined) return undefined
  if (config.tls !== 'own') return readGiven(config.tls)
  const { dataDir } = config
  const names = ownNames(config)
  const key = openKey(join(dataDir, KEY_FILE))
  const file = join(dataDir, CERT_FILE)
  const found = readIfAny(file)
  const cert = found !== undefined && isUsable(found, key, names) ? found : makeFor(key, names)
  if (cert !== found) writeDurably(file, cert)
  return describe(cert, key.export({ format: 'pem', type: 'pkcs8' }).toString())
}

function makeFor(key: KeyObject, names: readonly string[]): string {
  const now = Date.now()
  // An hour earlier, for devices whose clocks are behind.
  const notBefore = new Date(now - 60 * 60_000)
  return selfSigned({ key, names, notBefore, notAfter: new Date(now + LIFETIME_MS) })
}

function openKey(file: string): KeyObject {
  const found = readIfAny(file)
  if (found !== undefined) return createPrivateKey(found)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeDurably(file, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  return privateKey
}

/** A certificate of an earlier start is used again, so that devices that accepted it do not ask again. */
function isUsable(pem: string, key: KeyObject, names: readonly string[]): boolean {
  try {
    const certificate = new X509Certificate(pem)
    const isLasting = Date.parse(certificate.validTo) > Date.now() + RENEW_BEFORE_MS
    const covers = (name: string) =>
      (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined
    return isLasting && certificate.checkPrivateKey(key) && names.every(covers)
  } catch {
    // The file is damaged, and is replaced.
    return false
  }
}

function readGiven({ certFile, keyFile }: { certFile: string; keyFile: string }): Certificate {
  const cert = readRequired(certFile)
  const key = readRequired(keyFile)
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return describe(cert, key)
  } catch (cause) {
    throw new ConfigError(
      `${certFile} and ${keyFile} cannot be used for TLS: ${messageOfError(cause)} Both must be PEM files, the key without a passphrase.`,
      { cause },
    )
  }
  throw new ConfigError(`The key in ${keyFile} is not the one of the certificate in ${certFile}.`)
}

function describe(cert: string, key: string): Certificate {
  const certificate = new X509Certificate(cert)
  const isSelfSigned = certificate.verify(certificate.publicKey)
  return { cert, key, fingerprint: certificate.fingerprint256, isSelfSigned }
}

function readRequired(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new ConfigError(`${file} cannot be read: ${messageOfError(cause)}`, { cause })
  }
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
