// `npm run screenshots`: pictures of the real page for README and docs, from a hub with the demo agent.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, setUp } from './setup.mjs'

setUp()
const { chromium } = await import('playwright-core')
const { findChromium } = await import('./tools/browser.mjs')
const folder = mkdtempSync(join(tmpdir(), 'quayside-screenshots-'))
const images = join(ROOT, 'docs', 'images')
mkdirSync(images, { recursive: true })
for (const name of ['shop-api', 'web-store', 'infra']) makeRepository(join(folder, 'src', name))
const hub = startHub(join(folder, 'src'))
const browser = await chromium.launch(await findChromium())
try {
  await takePictures(await addressOf(hub))
} finally {
  await browser.close()
  hub.kill('SIGTERM')
  await new Promise((resolve) => hub.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
}

async function takePictures(address) {
  const page = await open({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 })
  await page.goto(address)
  await page.getByText(/other agents? you can install/).waitFor()
  await page.getByText(/^Ready/).waitFor()
  await take(page, 'welcome')
  await page.getByRole('button', { name: 'Continue' }).click()

  const decision = page.getByRole('region', { name: 'Needs your decision' })
  const allow = decision.getByRole('button', { name: /^Allow/ }).first()
  const isOver = page.getByTestId('status-pill').getByText('Idle')
  await begin(page, new URL('/new?repo=web-store', address))
  while (await Promise.race([allow.waitFor().then(() => true), isOver.waitFor()])) {
    await allow.click()
    await decision.waitFor({ state: 'detached' })
  }
  await page.goto(`${page.url()}/changes?file=quayside-demo.md`)
  const lines = page.getByRole('group', { name: 'Changed lines' })
  await lines.locator('.line-text').first().waitFor()
  await take(page, 'changes')

  await begin(page, new URL('/new?repo=shop-api', address))
  await decision.waitFor()
  await take(page, 'session')
  const session = page.url()

  await page.goto(new URL('/', address).href)
  await page.getByText('Needs you (1)').waitFor()
  await take(page, 'home')

  const phone = await open({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    colorScheme: 'dark',
    isMobile: true,
    hasTouch: true,
    storageState: await page.context().storageState(),
  })
  await phone.goto(session)
  await phone.getByRole('region', { name: 'Needs your decision' }).waitFor()
  await take(phone, 'phone')
  await takeWorkTrees(page, address)
}

/** An own work tree with the dialog that undoes a turn, and two agents with one task side by side. */
async function takeWorkTrees(page, address) {
  const { repos } = await call(page, 'GET /api/repos')
  const repoId = repos.find(({ name }) => name === 'infra').id
  const settings = { permissions: { mode: 'auto', rules: [] }, workspace: 'worktree' }
  const title = 'Describe the servers'
  const { id } = await call(page, 'POST /api/sessions', { repoId, title, settings })
  await page.goto(new URL(`/s/${id}`, address).href)
  const undo = page.getByRole('button', { name: 'Undo this turn' })
  for (const [at, text] of ['edit servers.md', 'edit README.md'].entries()) {
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill(text)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await undo.nth(at).waitFor()
  }
  await undo.last().click()
  await page.getByRole('dialog').getByText('Edited').first().waitFor()
  await take(page, 'undo')

  const demo = join(ROOT, 'packages/demo-agent/bundle/main.js')
  const second = { name: 'Second demo agent', command: process.execPath, args: [demo] }
  await call(page, 'PUT /api/extensions/second', second)
  const agents = ['demo', 'second']
  const text = 'edit servers.md'
  const wanted = { repoId, agents, text, settings: { permissions: settings.permissions } }
  const comparison = await call(page, 'POST /api/comparisons', wanted)
  await page.goto(new URL(`/compare/${comparison.id}`, address).href)
  await page.getByText('+1').nth(1).waitFor()
  await take(page, 'compare')
}

/** A request of the page, with its sign-in. */
function call(page, address, body) {
  const [method, path] = address.split(' ')
  return page.evaluate(
    async (request) => {
      const headers = { 'content-type': 'application/json' }
      const json = request.body && JSON.stringify(request.body)
      const init = { method: request.method, headers, ...(json && { body: json }) }
      const response = await fetch(request.path, init)
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    },
    { method, path, body },
  )
}

/** Without animations, so that the same page gives the same picture. */
async function open(options) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  return context.newPage()
}

/** The demo agent's tour, in the repository that the address names. */
async function begin(page, address) {
  await page.goto(address.href)
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Show me around')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/s\/[^/]+$/)
}

async function take(page, name) {
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: join(images, `${name}.png`) })
}

function startHub(root) {
  return spawn(
    process.execPath,
    [join(ROOT, 'packages/hub/bundle/main.js'), 'start', '--port', '0'],
    {
      cwd: root,
      env: { ...process.env, QUAYSIDE_DATA_DIR: join(folder, 'data'), QUAYSIDE_LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
}

function addressOf(child) {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      const found = /http:\/\/\S+#code=\S+/.exec(output)
      if (found) resolve(found[0])
    })
    child.once('exit', () => reject(new Error(`the hub did not start: ${output}`)))
  })
}

function makeRepository(path) {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'README.md'), '# shop-api\n\nOrders, carts and checkout.\n')
  const identity = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com']
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['commit', '-qm', 'Start the shop'],
  ])
    execFileSync('git', [...identity, ...args], { cwd: path })
  return path
}
