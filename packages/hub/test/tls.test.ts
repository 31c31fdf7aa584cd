// A hub that serves TLS itself: its certificate, its cookies, and the commands of the same machine.
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReachState } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { fetchTrusting } from '../src/commands/io/trust-certificate.js'
import { findLockHolder } from '../src/store/data-lock.js'
import { CliFolder } from './cli-folder.js'
import { startTestHub } from './test-hub.js'

const TLS = { QUAYSIDE_TLS: '1' }

test('a hub makes a certificate for itself once, and its cookies never leave TLS', async () => {
  await using folder = new CliFolder()
  const { hub } = await folder.startHub({ env: TLS })
  expect(hub.address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const cert = readFileSync(join(folder.data, 'tls-cert.pem'), 'utf8')
  expect(new X509Certificate(cert).checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(statSync(join(folder.data, 'tls-key.pem')).mode & 0o077).toBe(0)

  const { origin, hash } = new URL(hub.signInAddress())
  const body = JSON.stringify({ code: hash.replace('#code=', '') })
  const headers = { 'content-type': 'application/json', origin }
  const post = { method: 'POST', headers, body }
  await expect(fetch(`${origin}/api/health`)).rejects.toThrow()
  const answer = await fetchTrusting(cert)(`${origin}/api/login`, post)
  expect(answer.status).toBe(204)
  expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-quayside_\d+=\S+; Secure; HttpOnly/)
  const refused = await fetchTrusting(cert)(`${origin}/api/login`, {
    ...post,
    headers: { ...headers, origin: origin.replace('https', 'http') },
  })
  expect(refused.status).toBe(403)

  await hub.stop()
  await using again = await startTestHub({ folder: folder.path, env: TLS })
  expect(again.hub.address).toContain('https://')
  expect(readFileSync(join(folder.data, 'tls-cert.pem'), 'utf8')).toBe(cert)
})

test('commands of the same machine reach a TLS hub by the certificate in its data directory, and no other', async () => {
  await using folder = new CliFolder()
  await folder.startHub({ env: TLS })
  expect(await folder.run(['run', 'echo over TLS'])).toMatchObject({
    code: 0,
    stdout: 'over TLS\n',
  })
  expect((await folder.run(['sessions'])).stdout).toContain('over TLS')
  const { stdout } = await folder.run(['doctor', '--json'])
  expect(stdout).toContain('The hub runs at https://127.0.0.1')
  const initialize = { protocolVersion: 1, clientCapabilities: {} }
  const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }
  const acp = await folder.run(['acp'], { input: `${JSON.stringify(request)}\n` })
  expect(acp.stdout).toContain('"protocolVersion":1')

  const { certificate, ...holder } = findLockHolder(folder.data)!
  expect(certificate).toContain('BEGIN CERTIFICATE')
  await using other = new CliFolder()
  await other.startHub({ env: TLS })
  const wrong = { ...holder, certificate: findLockHolder(other.data)!.certificate }
  writeFileSync(join(folder.data, 'hub.json'), JSON.stringify(wrong))
  expect((await folder.run(['sessions'])).code).not.toBe(0)
})

test('a phone in the network gets an address with the fingerprint of the certificate', async () => {
  await using folder = new CliFolder()
  await folder.startHub({ env: { ...TLS, QUAYSIDE_HOST: '127.0.0.2' } })
  const cert = readFileSync(join(folder.data, 'tls-cert.pem'), 'utf8')
  const { fingerprint256: fingerprint } = new X509Certificate(cert)
  const reach = JSON.parse((await folder.run(['remote', '--json'])).stdout) as ReachState
  expect(reach.certificate).toEqual({ fingerprint, isSelfSigned: true })
  const { stdout } = await folder.run(['pair'])
  expect(stdout).toMatch(/^https:\/\/127\.0\.0\.2:\d+\/#code=/)
  expect(stdout.trim()).toMatch(new RegExp(`&sha256=${fingerprint.replaceAll(':', '')}$`))
})

test('a given certificate must fit its key, and is served', async () => {
  await using maker = new CliFolder()
  await (await maker.startHub({ env: TLS })).hub.stop()
  await using folder = new CliFolder()
  const files = {
    QUAYSIDE_TLS_CERT: join(maker.data, 'tls-cert.pem'),
    QUAYSIDE_TLS_KEY: join(maker.data, 'tls-key.pem'),
  }
  const start = (env: Record<string, string>) => folder.run(['start', '--port', '0'], { env })
  expect((await start({ QUAYSIDE_TLS_CERT: files.QUAYSIDE_TLS_CERT })).stderr).toContain(
    '--tls-key',
  )
  expect((await start({ ...files, QUAYSIDE_TLS_KEY: import.meta.filename })).stderr).toContain(
    'PEM',
  )
  await folder.startHub({ env: files })
  expect((await folder.run(['sessions', '--json'])).code).toBe(0)
})
