// Answers with formulas, alerts, footnotes, details, diagrams and pictures, under the hub's own policy.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { says, storeSessions } from '../../hub/test/stored-sessions.js'
import { HubProcess } from './hub-process.js'
import { ReusedPages } from './reused-pages.js'
import { openPage, SCREENS } from './test-browser.js'

const SESSION = '01900000-0000-7000-8000-0000000000a1'
const HOSTILE = '01900000-0000-7000-8000-0000000000a2'
const FENCE = '```'

const ANSWER = `The area is $\\pi r^2$, it costs $5 and $10[^why].

$$
\\int_0^1 x^2 \\, dx = \\frac{1}{3}
$$

> [!WARNING]
> Mind the **gap**.

<details>
<summary>All steps</summary>

1. one
2. two

</details>

${FENCE}mermaid
flowchart LR
  A[Start] --> B{Works?}
  B -->|yes| C[Done]
${FENCE}

[^why]: Because of *reasons*.`

const ATTACKS = `${FENCE}mermaid
flowchart LR
  A["<img src=x onerror=parent.pwned=1>"] --> B
  click A href "javascript:parent.pwned=1"
  click B call alert()
${FENCE}

$\\href{javascript:pwned=1}{x}$ $\\htmlStyle{position:fixed}{y}$

${FENCE}mermaid
no diagram at all
${FENCE}`

let hub: HubProcess

beforeAll(async () => {
  hub = await HubProcess.start(['shop-api'], {}, ({ root, dataFolder }) => {
    const about = { repo: join(root, 'shop-api'), agent: 'demo' }
    return storeSessions(dataFolder, [
      { ...about, id: SESSION, turns: [{ prompt: 'explain', updates: [says(ANSWER)] }] },
      { ...about, id: HOSTILE, turns: [{ prompt: 'attack', updates: [says(ATTACKS)] }] },
    ])
  })
}, 180_000)

afterAll(() => hub?.[Symbol.asyncDispose]())
// The last hook runs first.
const pages = new ReusedPages()

async function open(session: string, screen: keyof typeof SCREENS = 'desktop') {
  const options = { ...SCREENS[screen], storageState: await hub.signIn() }
  const watched = await pages.open(hub.origin, `/s/${session}`, options)
  return { ...watched, log: watched.page.getByRole('log') }
}

test('an answer shows formulas, an alert, details and a footnote', async () => {
  const { page, faults, log } = await open(SESSION)
  await log.locator('math').nth(1).waitFor()
  await expect.poll(() => log.locator('math').count()).toBe(2)
  await expect.poll(() => log.locator('math mfrac').count()).toBe(1)
  await log.getByText('it costs $5 and $10').waitFor()
  await log.getByRole('note').filter({ hasText: 'Mind the gap.' }).getByText('Warning').waitFor()

  const step = log.getByText('two', { exact: true })
  await expect.poll(() => step.isVisible()).toBe(false)
  await log.getByText('All steps').click()
  await step.waitFor()

  await log.getByRole('button', { name: 'Footnote why' }).click()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain('reasons')
  expect(faults).toEqual([])
})

test('a diagram is drawn as an image, can be enlarged, and its source is a click away', async () => {
  const { page, faults, log } = await open(SESSION, 'phone')
  const diagram = log.getByRole('button', { name: 'Enlarge image “Diagram”' })
  await diagram.waitFor()
  const image = diagram.locator('img')
  await image.evaluate((element: HTMLImageElement) => element.decode())
  await expect.poll(() => image.getAttribute('src')).toMatch(/^data:image\/svg\+xml,.*Works/)
  const { width = 0, height = 0 } = (await image.boundingBox()) ?? {}
  expect(Math.min(width, height)).toBeGreaterThan(20)

  await diagram.click()
  const zoom = page.getByRole('dialog', { name: 'Enlarge image “Diagram”' })
  await zoom.getByRole('button', { name: 'Close' }).click()
  await zoom.waitFor({ state: 'detached' })
  await log.getByRole('button', { name: 'Show source' }).click()
  await log.getByText('flowchart LR').waitFor()
  await log.getByRole('button', { name: 'Show diagram' }).click()
  await diagram.waitFor()
  expect(faults).toEqual([])
})

test('scripts in diagrams and formulas do nothing, and what cannot be drawn stays as source', async () => {
  const { page, log } = await open(HOSTILE)
  await log.getByRole('button', { name: 'Enlarge image “Diagram”' }).waitFor()
  await log.getByText('no diagram at all').waitFor()
  await log.getByText('htmlStyle').waitFor()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'pwned') as unknown)).toBeUndefined()
  await expect.poll(() => log.locator('a[href^="javascript"]').count()).toBe(0)
  const [, frame] = page.frames()
  const isolated = await frame!.evaluate(() => {
    try {
      return [origin, document.cookie]
    } catch (error) {
      return [origin, (error as Error).name]
    }
  })
  expect(isolated).toEqual(['null', 'SecurityError'])
})

test('neither is loaded for an answer without them', async () => {
  const { page } = await openPage(hub.origin, { storageState: await hub.signIn() })
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  const { id } = await hub.newSession('shop-api')
  await page.goto(`${hub.origin}/s/${id}`)
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill('echo only **words**')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('log').getByText('words').last().waitFor()
  expect(scripts.filter((url) => /mermaid|temml|diagram/.test(url))).toEqual([])
})
