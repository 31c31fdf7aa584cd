import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ConfigFlags, loadConfig, requireKnownSettings } from './config.js'

function load(flags: ConfigFlags, env: Record<string, string>, file?: unknown) {
  const dataDir = mkdtempSync(join(tmpdir(), 'quayside-config-'))
  if (file !== undefined)
    writeFileSync(
      join(dataDir, 'config.json'),
      typeof file === 'string' ? file : JSON.stringify(file),
    )
  try {
    return loadConfig(flags, { QUAYSIDE_DATA_DIR: dataDir, ...env }, '/home/me')
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

test('the defaults are a loopback hub for the current folder', () => {
  expect(load({}, {})).toMatchObject({
    port: 4444,
    host: '127.0.0.1',
    roots: ['/home/me'],
    maxSessions: 5,
    permissionTimeoutMs: 24 * 60 * 60_000,
    cancelGraceMs: 5_000,
    durability: 'full',
    token: undefined,
  })
})

test('flags win over the environment, the environment over config.json', () => {
  const file = { GEMINI_PORT: 1111, AGENT_MAX_SESSIONS: 7 }
  expect(load({}, {}, file)).toMatchObject({ port: 1111, maxSessions: 7 })
  expect(load({}, { GEMINI_PORT: '2222' }, file).port).toBe(2222)
  expect(load({ port: '3333' }, { GEMINI_PORT: '2222' }, file).port).toBe(3333)
  expect(load({}, { PORT: '5555' }).port).toBe(5555)
})

test('a permission waits for ever when its timeout is 0', () => {
  expect(load({}, { AGENT_PERMISSION_TIMEOUT: '0' }).permissionTimeoutMs).toBe(Infinity)
  expect(load({}, { AGENT_PERMISSION_TIMEOUT: '172800' }).permissionTimeoutMs).toBe(172_800_000)
})

test('the external address is a host name of the hub, with TLS when it says so', () => {
  const at = (url: string) => load({}, { QUAYSIDE_EXTERNAL_URL: url })
  expect(at('https://Studio.example:8443/')).toMatchObject({
    externalUrl: 'https://studio.example:8443',
    hostnames: ['studio.example'],
    secureHostnames: ['studio.example'],
  })
  expect(at('http://studio.lan')).toMatchObject({
    hostnames: ['studio.lan'],
    secureHostnames: [],
  })
})

test('several roots are separated by a colon and made absolute', () => {
  const { roots } = load({}, { AGENT_WORKSPACE_ROOT: '/src:projects' })
  expect(roots).toEqual(['/src', '/home/me/projects'])
})

test.each<[Record<string, string>, RegExp]>([
  [{ GEMINI_PORT: 'http' }, /GEMINI_PORT is "http"; allowed is a whole number from 0 to 65535/],
  [{ PORT: '70000' }, /PORT is "70000"/],
  [{ AGENT_MAX_SESSIONS: '0' }, /AGENT_MAX_SESSIONS/],
  [{ AGENT_PERMISSION_TIMEOUT: '-1' }, /AGENT_PERMISSION_TIMEOUT/],
  [{ QUAYSIDE_LOG_LEVEL: 'loud' }, /QUAYSIDE_LOG_LEVEL is "loud"; allowed is one of trace, /],
  [{ QUAYSIDE_DURABILITY: 'maybe' }, /one of full, normal/],
  [
    { QUAYSIDE_DATABASE_URL: 'mysql://a:secret@b/c' },
    /^(?!.*secret).*QUAYSIDE_DATABASE_URL must be/,
  ],
  [{ QUAYSIDE_HOSTNAMES: 'http://studio.lan' }, /QUAYSIDE_HOSTNAMES .* without ports/],
  [{ QUAYSIDE_EXTERNAL_URL: 'studio.lan' }, /QUAYSIDE_EXTERNAL_URL .* without a path/],
  [{ QUAYSIDE_EXTERNAL_URL: 'https://a.example/hub' }, /QUAYSIDE_EXTERNAL_URL/],
  [{ QUAYSIDE_ORIGINS: 'https://a.example,*' }, /QUAYSIDE_ORIGINS .* a list of origins/],
  [{ QUAYSIDE_ORIGINS: 'https://a.example/app' }, /QUAYSIDE_ORIGINS/],
  [{ QUAYSIDE_TOKEN: 'short' }, /QUAYSIDE_TOKEN is too short/],
  [{ QUAYSIDE_EXTENSIONS: '/nowhere' }, /QUAYSIDE_EXTENSIONS .* extensions\.json/],
  [{ QUAYSIDE_HOST: '0.0.0.0' }, /--insecure-http/],
])('a wrong value stops the start and names itself: %o', (env, message) => {
  expect(() => load({}, env)).toThrow(message)
})

test('a secret that is wrong is not repeated in the message', () => {
  expect(() => load({}, { QUAYSIDE_TOKEN: 'hunter2' })).not.toThrow(/hunter2/)
})

test('config.json must be an object of settings that exist', () => {
  expect(() => load({}, {}, '{ broken')).toThrow(/not valid JSON/)
  expect(() => load({}, {}, [])).toThrow(/one JSON object/)
  const config = load({}, {}, { GEMINI_PROT: 1, GEMINI_MODEL: 'x' })
  expect(() => requireKnownSettings(config, new Set(['GEMINI_MODEL']))).toThrow(/: GEMINI_PROT\./)
  const known = new Set(['GEMINI_MODEL', 'GEMINI_PROT'])
  expect(() => requireKnownSettings(config, known)).not.toThrow()
})

test('beyond loopback needs an explicit flag', () => {
  expect(load({ insecureHttp: true, host: '0.0.0.0' }, {}).host).toBe('0.0.0.0')
})

test('an address of a database in an argument has no password, which other users could read', () => {
  for (const database of ['postgres://a:secret@b/c', 'postgresql://b/c?user=a&password=secret'])
    expect(() => load({ database }, {})).toThrow(/^(?!.*secret).*contains a password.*PGPASSWORD/)
  for (const database of ['postgres://a@b:5432/c', 'postgres://b:5432,c:5433/d'])
    expect(load({ database }, {}).database).toBe(database)
  const env = { QUAYSIDE_DATABASE_URL: 'postgres://a:secret@b/c' }
  expect(load({}, env).database).toContain('secret')
})
