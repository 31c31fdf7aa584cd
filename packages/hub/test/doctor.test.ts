// `quayside doctor` on healthy and on broken data directories.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/store/sqlite/database.js'
import { makeData } from './backup-data.js'
import { quayside } from './command-run.js'
import { startHubChild } from './hub-child.js'
import { StoreChild, TempFolder } from './store-fixture.js'

type Check = {
  readonly id: string
  readonly level: string
  readonly message: string
  readonly details?: Record<string, unknown>
}
type Doctor = { readonly code: number | null; readonly ok: boolean; readonly checks: Check[] }

/** An unused port: the default one may be in use on this machine. */
async function doctor(dataDir: string, env: Record<string, string> = {}): Promise<Doctor> {
  const { code, output } = await quayside(['doctor', '--json'], {
    QUAYSIDE_DATA_DIR: dataDir,
    AGENT_WORKSPACE_ROOT: '/',
    PORT: '0',
    ...env,
  })
  return { code, ...(JSON.parse(output) as { ok: boolean; checks: Check[] }) }
}

function find({ checks }: Doctor, id: string): Check {
  return checks.find((check) => check.id === id)!
}

test('on a healthy data directory everything is well, line by line and as JSON', async () => {
  using folder = new TempFolder()
  const data = makeData(folder.file('data'), { name: 'shop' })
  const result = await doctor(data)

  expect(result).toMatchObject({ code: 0, ok: true })
  expect(result.checks.filter(({ level }) => level === 'problem')).toEqual([])
  for (const id of [
    'node',
    'git',
    'data-directory',
    'database',
    'disk-use',
    'worktrees',
    'hub',
    'workspace',
  ])
    expect(find(result, id), id).toMatchObject({ level: 'ok' })
  expect(find(result, 'database').details).toMatchObject({ walBytes: 0 })
  expect(find(result, 'disk-use').details).toMatchObject({ media: { files: 2, bytes: 12 } })

  const text = await quayside(['doctor'], { QUAYSIDE_DATA_DIR: data, PORT: '0' })
  expect(text.code).toBe(0)
  expect(text.output.trim().split('\n')).toHaveLength(result.checks.length + 2)
  expect(text.output).toMatch(/^✓ Node \d+/)
})

test('work trees without a session are listed', async () => {
  using folder = new TempFolder()
  const data = makeData(folder.file('data'), { name: 'shop' })
  mkdirSync(join(data, 'worktrees/stray/shop'), { recursive: true })
  const check = find(await doctor(data), 'worktrees')
  expect(check).toMatchObject({ level: 'warning' })
  expect(check.message).toContain(join(data, 'worktrees/stray'))
})

test('before the first start it reports what will be created, and creates nothing', async () => {
  using folder = new TempFolder()
  const result = await doctor(folder.file('data'))
  expect(result).toMatchObject({ code: 0, ok: true })
  expect(find(result, 'data-directory').message).toContain('the first start creates it')
  expect(readdirSync(folder.path)).toEqual([])
})

test('an agent that is not installed is a warning with the command that installs it', async () => {
  using folder = new TempFolder()
  folder.write(
    'more/extensions.json',
    JSON.stringify({
      extensions: [
        { id: 'absent', name: 'Absent', type: 'acp', path: 'absent', enabled: true },
        { id: 'broken', name: 'Broken', type: 'acp', path: 'broken', enabled: true },
      ],
    }),
  )
  const agent = { command: 'no-such-agent-here' }
  const manifest = { id: 'absent', name: 'Absent', type: 'acp', install: 'npm i -g absent', agent }
  folder.write('more/absent/manifest.json', JSON.stringify(manifest))
  folder.write('more/broken/manifest.json', '{')

  const result = await doctor(folder.file('data'), { QUAYSIDE_EXTENSIONS: folder.file('more') })

  const agents = result.checks.filter(({ id }) => id === 'agent')
  expect(agents.find(({ details }) => details?.['extensionId'] === 'absent')).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('npm i -g absent') as string,
  })
  expect(agents.find(({ level }) => level === 'problem')?.message).toContain('broken/manifest.json')
  expect(agents.find(({ details }) => details?.['extensionId'] === 'demo')?.level).toBe('ok')
  expect(result.code).toBe(1)
})

test('a damaged database is a problem that names the newest backup', async () => {
  using folder = new TempFolder()
  const data = makeData(folder.file('data'), { name: 'shop' })
  const env = { QUAYSIDE_DATA_DIR: data }
  await quayside(['backup'], env)
  const file = join(data, 'quayside.db')
  const bytes = readFileSync(file)
  for (let at = 4096; at < bytes.length; at += 100) bytes[at] = 0x5a
  writeFileSync(file, bytes)

  const result = await doctor(data)

  expect(result).toMatchObject({ code: 1, ok: false })
  expect(find(result, 'database')).toMatchObject({ level: 'problem' })
  expect(find(result, 'database').message).toMatch(/damaged.*quayside restore .*quayside-backup-/)
  expect(readFileSync(file).equals(bytes)).toBe(true)

  writeFileSync(file, 'this is no database at all, but it is long enough to be looked at')
  expect(find(await doctor(data), 'database')).toMatchObject({ level: 'problem' })
})

test('a newer database and one with pending migrations are distinguished', async () => {
  using folder = new TempFolder()
  const data = makeData(folder.file('data'), { name: 'shop' })
  const change = (sql: string): void => {
    const db = openDatabase(join(data, 'quayside.db'), { durability: 'normal' })
    db.exec(sql)
    db.close()
  }
  change(`INSERT INTO schema_migration VALUES ('9999_later', 'x', 1)`)
  expect(find(await doctor(data), 'database')).toMatchObject({
    level: 'problem',
    message: expect.stringContaining('newer version') as string,
  })
  change(`DELETE FROM schema_migration WHERE id = '9999_later' OR id LIKE '0002%'`)
  const result = await doctor(data)
  expect(find(result, 'database').message).toMatch(/the next start applies 0002_/)
  expect(result.code).toBe(0)
})

test('a running hub is found, its port is its own, and its database is looked at', async () => {
  using folder = new TempFolder()
  const data = makeData(folder.file('data'), { name: 'shop' })
  const hub = await startHubChild([], { QUAYSIDE_DATA_DIR: data, AGENT_WORKSPACE_ROOT: data })
  try {
    const result = await doctor(data)
    expect(result).toMatchObject({ code: 0, ok: true })
    expect(find(result, 'hub').details).toMatchObject({
      pid: hub.process.pid,
      address: hub.address,
    })
    expect(find(result, 'port').message).toContain('used by the hub')
    expect(find(result, 'database').level).toBe('ok')
    const elsewhere = await doctor(folder.file('other'), { PORT: new URL(hub.address).port })
    expect(find(elsewhere, 'port')).toMatchObject({ level: 'problem' })
    expect(find(elsewhere, 'port').message).toContain('a hub with another data directory')
    expect((await fetch(`${hub.address}/api/health`)).status).toBe(200)
  } finally {
    expect(await hub.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  }
})

test('a lock without an answering hub is explained', async () => {
  using folder = new TempFolder()
  const data = folder.file('data')
  await using holder = await StoreChild.start('lock', data)
  expect(await holder.readLine()).toBe('locked')
  // The child announces an address that it does not listen on.
  const silent = await doctor(data)
  expect(find(silent, 'hub')).toMatchObject({
    message: expect.stringContaining('does not answer') as string,
    details: { pid: holder.pid },
  })
  expect(JSON.stringify(silent)).not.toContain('local-secret')

  rmSync(join(data, 'hub.json'))
  expect(find(await doctor(data), 'hub')).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('hub.json is missing') as string,
  })

  await holder.kill()
  expect(find(await doctor(data), 'hub').message).toBe('No hub is running here')
})

test('wrong settings, roots, modes and ports are each named', async () => {
  using folder = new TempFolder()
  const settings = await doctor(folder.path, { AGENT_MAX_SESSIONS: 'many' })
  expect(settings.code).toBe(1)
  expect(find(settings, 'settings').message).toContain('AGENT_MAX_SESSIONS')

  const roots = await doctor(folder.path, { AGENT_WORKSPACE_ROOT: folder.file('gone') })
  expect(find(roots, 'workspace')).toMatchObject({ level: 'problem' })

  const shared = folder.file('shared')
  mkdirSync(shared)
  chmodSync(shared, 0o755)
  expect(find(await doctor(shared), 'data-directory')).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('chmod 700') as string,
  })

  writeFileSync(folder.file('file'), '')
  expect(find(await doctor(folder.file('file')), 'data-directory').level).toBe('problem')

  const server = createServer((_request, response) => response.end('something else'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const taken = await doctor(folder.path, { PORT: String(port) })
  server.close()
  expect(find(taken, 'port').message).toContain(`Port ${port} is in use by another program`)

  const noGit = await doctor(folder.path, { PATH: folder.path })
  expect(find(noGit, 'git')).toMatchObject({ level: 'problem' })
})
