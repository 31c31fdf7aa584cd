// Which Host names are the hub's own where it is reached by more than one address.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Gates } from './gates.js'
import { SecureHosts } from './secure-hosts.js'
import type { SignIn } from './sign-in.js'

/** The status that a Host gets over the given address of this machine. */
async function statusOf(address: string, host: string): Promise<number | undefined> {
  const signIn = { secureHosts: new SecureHosts([]) } as SignIn
  const gates = new Gates(['0.0.0.0', 'studio.example'], signIn)
  const server = createServer((incoming, response) => {
    try {
      gates.requireHost(incoming)
      response.end()
    } catch {
      response.writeHead(403).end()
    }
  }).listen(0, '0.0.0.0')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const asked = request({ host: address, port, headers: { host } }).end()
  const [{ statusCode }] = (await once(asked, 'response')) as [{ statusCode?: number }]
  return statusCode
}

// Elsewhere the loopback network has one address only.
test.runIf(process.platform === 'linux')('the address that was called is one of ours', async () => {
  expect(await statusOf('127.0.0.2', '127.0.0.2')).toBe(200)
  expect(await statusOf('127.0.0.2', '127.0.0.2:8080')).toBe(200)
  expect(await statusOf('127.0.0.2', '127.0.0.3')).toBe(403)
  expect(await statusOf('127.0.0.2', 'evil.example')).toBe(403)
  expect(await statusOf('127.0.0.2', 'Studio.example:443')).toBe(200)
})
