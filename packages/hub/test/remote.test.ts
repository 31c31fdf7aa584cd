// The ways to the hub from other devices: the checks, and the tunnels of `quayside remote`.
import { request } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { ReachState } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { findLockHolder } from '../src/store/data-lock.js'
import { CliFolder } from './cli-folder.js'
import { pathWith, TAILNET_NAME, TUNNEL_NAME } from './stand-ins.js'

/** A folder whose hub and commands find the programs. */
function folderWith(
  ...programs: Parameters<typeof pathWith> extends [string, ...infer R] ? R : never
) {
  const folder = new CliFolder()
  folder.env['PATH'] = pathWith(folder.path, ...programs)
  return folder
}

async function reachOf(folder: CliFolder): Promise<ReachState> {
  return JSON.parse((await folder.run(['remote', '--json'])).stdout) as ReachState
}

/** The status of a request that a tunnel passes on, with its own Host. */
async function statusBy(folder: CliFolder, host: string): Promise<number | undefined> {
  const { address } = findLockHolder(folder.data)!
  const asked = request(`${address}/api/health`, { headers: { host }, agent: false }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

test('Tailscale leads to the hub after one command, until it is switched off, and a phone gets write', async () => {
  await using folder = folderWith('tailscale')
  await folder.startDaemon()
  const find = async () => (await reachOf(folder)).ways.find(({ kind }) => kind === 'tailscale')
  expect(await find()).toMatchObject({ problem: 'not_served', isEncrypted: true })
  expect((await find())?.command).toMatch(/ remote tailscale$/)
  expect(await statusBy(folder, TAILNET_NAME)).toBe(403)

  const { stdout, code } = await folder.run(['remote', 'tailscale'])
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^https://${TAILNET_NAME}/#code=\\S+\\n$`))
  expect(await statusBy(folder, TAILNET_NAME)).toBe(200)
  expect(await find()).toEqual({
    kind: 'tailscale',
    isEncrypted: true,
    url: `https://${TAILNET_NAME}`,
  })
  expect((await folder.run(['pair'])).stdout).toContain(`https://${TAILNET_NAME}/#code=`)
  const body = JSON.stringify({ code: stdout.trim().split('#code=')[1] })
  const { address } = findLockHolder(folder.data)!
  const headers = { 'content-type': 'application/json' }
  await fetch(`${address}/api/login`, { method: 'POST', headers, body })
  expect((await folder.run(['token', 'list'])).stdout).toMatch(/phone.*write|write.*phone/)

  await folder.run(['remote', 'tailscale', '--off'])
  expect(await statusBy(folder, TAILNET_NAME)).toBe(403)
  expect(await find()).toMatchObject({ problem: 'not_served' })
})

test('an added name is kept over a restart, and bad names are refused', async () => {
  await using folder = folderWith('tailscale')
  await folder.startDaemon()
  await folder.run(['remote', 'tailscale'])
  await folder.run(['stop'])
  await folder.startDaemon()
  expect(await statusBy(folder, TAILNET_NAME)).toBe(200)
  for (const name of ['10.0.0.1', 'localhost', 'a..b', '-a.b']) {
    const refused = await folder.run(['api', 'host/add', `hostname=${name}`])
    expect(refused.code, refused.output).not.toBe(0)
  }
})

test('a public address of cloudflared lives as long as its command', async () => {
  await using folder = folderWith('cloudflared')
  await folder.startDaemon()
  const tunnel = folder.start(['remote', 'cloudflared'])
  await tunnel.until(`https://${TUNNEL_NAME}/#code=`)
  expect(await statusBy(folder, TUNNEL_NAME)).toBe(200)
  tunnel.signal('SIGINT')
  await tunnel.ended
  expect(await statusBy(folder, TUNNEL_NAME)).toBe(403)
})

test('without the programs each command says what to install, and the hub what to do', async () => {
  await using folder = new CliFolder()
  await folder.startDaemon()
  for (const name of ['tailscale', 'cloudflared'])
    expect(await folder.run(['remote', name])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not on the PATH. Install it/),
    })
  const { stdout } = await folder.run(['remote'])
  expect(stdout).toContain('Tailscale: not installed')
  expect(stdout).toMatch(
    /Network: the hub listens on this machine only. Run: .* --host 0.0.0.0 --tls/,
  )
  const pair = folder.start(['pair'], { isTerminal: true })
  const { output } = await pair.ended
  expect(output).toContain('works on this machine only')
  expect(output).not.toContain('█')
})
