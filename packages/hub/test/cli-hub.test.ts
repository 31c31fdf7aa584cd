// The commands around a hub: in the background, stopping it, tokens, and the service file.
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Repo, Token } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { launchdPlist, systemdUnit } from '../src/commands/hub/service.js'
import { findLockHolder } from '../src/store/data-lock.js'
import { CliFolder } from './cli-folder.js'
import { makeRepository } from './test-hub.js'

test('a hub in the background: found again, signed in to, stopped', async () => {
  await using folder = new CliFolder()
  const first = await folder.startDaemon()
  const address = /http:\/\/\S+(?=\/#code=)/.exec(first.stdout)?.[0]
  expect((await fetch(`${address}/api/health`)).status).toBe(200)
  const again = await folder.run(['start', '--daemon'])
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(`${address}/#code=`) })

  const alone = await folder.run([])
  expect(alone).toMatchObject({ code: 0, stdout: expect.stringContaining(`${address}/#code=`) })
  const status = await folder.run(['status', '--json'])
  expect(JSON.parse(status.stdout)).toMatchObject({ running: true, address, sessions: {} })

  process.kill(findLockHolder(folder.data)!.pid, 'SIGHUP')
  expect((await fetch(`${address}/api/health`)).status).toBe(200)

  const log = join(folder.path, 'data', 'hub.log')
  expect(statSync(log).mode & 0o077).toBe(0)
  expect(readFileSync(log, 'utf8')).not.toContain('#code=')
  const logs = await folder.run(['logs', '-n', '1'])
  expect(JSON.parse(logs.stdout)).toMatchObject({ level: expect.any(Number) })

  expect(await folder.run(['stop'])).toMatchObject({ code: 0, stderr: 'The hub has stopped.\n' })
  await expect(fetch(`${address}/api/health`)).rejects.toThrow()
  expect((await folder.run(['stop'])).stderr).toContain('No hub is running')
})

test('the log of a hub in the background stays small while it runs, and is followed', async () => {
  await using folder = new CliFolder()
  const data = join(folder.path, 'data')
  await folder.startDaemon()
  const log = join(data, 'hub.log')
  const follower = folder.spawn(['logs', '-f'])
  await follower.until('the first lines', (output) => output !== '')
  const changes = watch(data)
  appendFileSync(log, `{"msg":"${'x'.repeat(1000)}"}\n`.repeat(2100))
  while (statSync(log).size > 2_000_000) await once(changes, 'change')
  changes.close()
  expect(statSync(`${log}.old`).size).toBeGreaterThan(2_000_000)
  await folder.run(['stop'])
  const last = readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)!
  await follower.untilSaid(last)
  follower.process.kill()
  await follower.ended
})

test('a background hub that cannot start is reported with the reason', async () => {
  await using folder = new CliFolder()
  const data = join(folder.path, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'quayside.db'), 'not a database, and longer than its header '.repeat(9))
  const { code, stderr } = await folder.startDaemon()
  expect(code).toBe(1)
  expect(stderr).toContain('The hub did not start')
  expect(stderr).toContain('hub.log')
  expect(stderr).toMatch(/database/)
})

test('the hub.json of a killed hub is ignored, even if its pid is in use again', async () => {
  await using folder = new CliFolder()
  const data = join(folder.path, 'data')
  mkdirSync(data)
  const note = { pid: process.pid, address: 'http://127.0.0.1:9', localToken: 'x', startedAt: 1 }
  writeFileSync(join(data, 'hub.json'), JSON.stringify(note))
  expect((await folder.run(['stop'])).stderr).toContain('No hub is running')
  expect(await folder.run(['run', 'echo fine'])).toMatchObject({ code: 0, stdout: 'fine\n' })
})

test('an address for another device is valid for the given time, at most a day', async () => {
  await using folder = new CliFolder()
  await folder.startHub()
  const { origin, hash } = new URL((await folder.run(['pair', '--ttl', '1h'])).stdout)
  const body = JSON.stringify({ code: hash.replace('#code=', '') })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${origin}/api/login`, { method: 'POST', headers, body })).status).toBe(204)
  expect((await folder.run(['pair', '--ttl', 'soon'])).code).toBe(2)
  expect(await folder.run(['pair', '--ttl', '48h'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a day'),
  })
})

test('the repositories under the root are listed, new ones after a look', async () => {
  await using folder = new CliFolder()
  await folder.startHub()
  expect(await folder.run(['repos'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^shop-api  \/.*\/shop-api \(\S+\)\n$/),
  })
  makeRepository(join(folder.path, 'workspace', 'web-shop'))
  const { stdout } = await folder.run(['repos', 'ls', '--scan', '--json'])
  expect(
    (JSON.parse(stdout) as { repos: Repo[] }).repos.map(({ name }) => name).toSorted(),
  ).toEqual(['shop-api', 'web-shop'])
})

test('a repository is added from elsewhere after a yes, and by cloning', async () => {
  await using folder = new CliFolder()
  const hub = await folder.startHub()
  const elsewhere = join(folder.path, 'elsewhere', 'other-shop')
  makeRepository(elsewhere)
  expect(await folder.run(['repos', 'add', elsewhere])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("outside of the hub's root folders"),
  })
  const add = ['repos', 'add', '--yes', 'other-shop']
  const cwd = join(folder.path, 'elsewhere')
  expect(await folder.run(add, { cwd })).toMatchObject({ code: 0, stdout: `${elsewhere}\n` })

  const cloned = await folder.run(['repos', 'add', `file://${folder.repo}`, '--name', 'copy'])
  expect(cloned).toMatchObject({ code: 0, stdout: `${join(hub.workspace, 'copy')}\n` })
  const failed = await folder.run(['repos', 'add', `file://${hub.workspace}`, '--name', 'none'])
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('git') })
  const { stdout } = await folder.run(['repos', '--json'])
  const names = (JSON.parse(stdout) as { repos: Repo[] }).repos.map(({ name }) => name)
  expect(names.toSorted()).toEqual(['copy', 'other-shop', 'shop-api'])
})

test('tokens are made, listed and revoked, also without a running hub', async () => {
  await using folder = new CliFolder()
  const made = await folder.run(['token', 'create', '--scope', 'read', '--name', 'phone'])
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^quayside_[\w-]{43}\n$/) })
  const { address } = (await folder.startHub()).hub

  const phone = { env: { QUAYSIDE_URL: address, QUAYSIDE_TOKEN: made.stdout.trim() } }
  expect((await folder.run(['sessions'], phone)).code).toBe(0)
  const refused = await folder.run(['run', 'echo no'], phone)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('"write"') })
  expect((await folder.run(['token', 'list'], phone)).code).toBe(1)

  const listed = await folder.run(['token', 'list', '--json'])
  const { tokens } = JSON.parse(listed.stdout) as { tokens: Token[] }
  expect(tokens).toMatchObject([{ name: 'phone', scope: 'read', kind: 'token' }])
  expect((await folder.run(['token', 'revoke', 'phone'])).code).toBe(0)
  expect((await folder.run(['sessions'], phone)).stderr).toContain('Sign in')
  expect((await folder.run(['token', 'revoke', 'phone'])).code).toBe(1)
  expect((await folder.run(['token', 'create', '--name', 'x', '--scope', 'root'])).code).toBe(2)
})

test('the service file is written once, and not over one that differs', async () => {
  await using folder = new CliFolder()
  const file = join(folder.path, 'home', '.config', 'systemd', 'user', 'quayside.service')
  const args = ['service', '--root', folder.path]
  const printed = await folder.run([...args, '--print'])
  expect(existsSync(file)).toBe(false)
  expect(printed.stdout).toContain('[Service]')
  if (process.platform !== 'linux') return
  const { stdout } = await folder.run(args)
  expect(stdout).toContain('systemctl --user enable --now quayside')
  expect(readFileSync(file, 'utf8')).toBe(printed.stdout)
  expect((await folder.run(args)).code).toBe(0)
  writeFileSync(file, 'mine')
  expect((await folder.run(args)).stderr).toContain('--force')
  expect((await folder.run([...args, '--force'])).code).toBe(0)
})

test('the command of the service is quoted as each system reads it', () => {
  const service = {
    args: ['/opt/node', '/home/me/100% "my" $code/main.js', 'start'],
    env: { PATH: '/usr/bin:/a&b$c' },
  }
  const unit = systemdUnit(service)
  expect(unit).toContain(
    String.raw`ExecStart="/opt/node" "/home/me/100%% \"my\" $$code/main.js" "start"`,
  )
  expect(unit).toContain('Environment="PATH=/usr/bin:/a&b$c"')
  expect(unit).toContain('KillMode=process')
  expect(unit).toContain('Delegate=yes')
  expect(launchdPlist(service)).toContain('<string>/usr/bin:/a&amp;b$c</string>')
})
