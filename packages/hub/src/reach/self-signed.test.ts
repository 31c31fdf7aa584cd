import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { selfSigned } from './self-signed.js'

const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const DAY_MS = 24 * 60 * 60_000

function make(names: readonly string[], notAfter = new Date(Date.now() + DAY_MS)) {
  const notBefore = new Date(Date.now() - DAY_MS)
  return new X509Certificate(selfSigned({ key, names, notBefore, notAfter }))
}

test('a certificate names hosts and addresses, and is signed by its own key', () => {
  const names = [
    'localhost',
    'studio.example',
    '127.0.0.1',
    '::1',
    'fe80::1:2',
    '2001:db8:1:2:3:4:5:6',
  ]
  const certificate = make(names)
  expect(certificate.checkHost('studio.example')).toBe('studio.example')
  expect(certificate.checkHost('other.example')).toBeUndefined()
  for (const address of ['127.0.0.1', '::1', 'fe80::1:2', '2001:db8:1:2:3:4:5:6'])
    expect(certificate.checkIP(address)).toBe(address)
  expect(certificate.checkIP('127.0.0.2')).toBeUndefined()
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.checkPrivateKey(key)).toBe(true)
  expect(certificate.ca).toBe(false)
})

test('a certificate with many names is still whole', () => {
  const names = Array.from({ length: 60 }, (_, index) => `host-${index}.studio.example`)
  expect(make(names).checkHost('host-59.studio.example')).toBe('host-59.studio.example')
})

test('its life ends when it was told to, also after 2049', () => {
  for (const year of [2049, 2050]) {
    const end = new Date(Date.UTC(year, 5, 1))
    expect(Date.parse(make(['localhost'], end).validTo)).toBe(end.getTime())
  }
})
