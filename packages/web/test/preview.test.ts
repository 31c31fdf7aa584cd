// The preview panel in a real browser: a program in a terminal of the session is shown, without the hub's cookies.
import type { PreviewPort, Terminal } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HubProcess } from './hub-process.js'
import { openPage } from './test-browser.js'

const PROGRAM = `
require('node:http').createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<h1>The shop</h1><p>Cookies: ' + (request.headers.cookie ?? 'none') + '</p>')
}).listen(0, '127.0.0.1')
`

let hub: HubProcess

beforeAll(async () => {
  hub = await HubProcess.start(['shop-api'])
}, 180_000)

afterAll(() => hub?.[Symbol.asyncDispose]())

test.runIf(process.platform === 'linux')(
  'a program that a terminal of the session starts appears in the preview, on its own origin',
  async () => {
    const { id: sessionId } = await hub.newSession('shop-api')
    const { page, faults } = await openPage(hub.origin, { storageState: await hub.signIn() })
    await page.goto(`${hub.origin}/s/${sessionId}/preview`)
    await page.getByText('Nothing to preview yet.').waitFor()
    const size = { cols: 80, rows: 24 }
    const command = { command: process.execPath, args: ['-e', PROGRAM] }
    const terminal = await hub.call<Terminal>('POST', '/api/terminals', {
      sessionId,
      ...size,
      ...command,
    })

    const frame = page.frameLocator('iframe[title^="Preview of port"]')
    await frame.getByRole('heading', { name: 'The shop' }).waitFor()
    await frame.getByText('Cookies: none').waitFor()
    const preview = page.frames().find((one) => one.url().endsWith('/') && one !== page.mainFrame())
    expect(new URL(preview!.url()).origin).not.toBe(hub.origin)
    const { ports } = await hub.call<{ ports: PreviewPort[] }>(
      'GET',
      `/api/sessions/${sessionId}/previews`,
    )
    expect(new URL(preview!.url()).port).not.toBe(String(ports[0]?.port))
    // The program's page cannot use the sign-in of the hub.
    const stolen = await preview!.evaluate(async (origin) => {
      try {
        return (await fetch(`${origin}/api/me`, { credentials: 'include' })).status
      } catch (error) {
        return (error as Error).name
      }
    }, hub.origin)
    expect(stolen).toBe('TypeError')

    await page.getByRole('button', { name: 'Reload preview' }).click()
    await frame.getByText('Cookies: none').waitFor()
    const tab = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Open preview in a new tab' }).click()
    await (await tab).getByRole('heading', { name: 'The shop' }).waitFor()
    expect(faults.filter((fault) => fault.startsWith('policy'))).toEqual([])
    await hub.call('DELETE', `/api/terminals/${terminal.id}`)
  },
)
