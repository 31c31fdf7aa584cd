// `npm run screenshots`: pictures of the real page for README and docs, from a hub with the demo agent.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, setUp } from './setup.mjs'

setUp()
const { chromium } = await import('playwright-core')
const { findChromium } = await import('./browser.mjs')
const folder = mkdtempSync(join(tmpdir(), 'quayside-screenshots-'))
const images = join(ROOT, 'docs', 'images')
mkdirSync(images, { recursive: true })
const hub = startHub(makeRepository(join(folder, 'src', 'shop-api')))
const browser = await chromium.launch(await findChromium())
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 860 },
    deviceScaleFactor: 2,
  })
  await page.goto(await addressOf(hub))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Start a session in shop-api' }).click()
  await page.waitForURL(/\/s\/[^/]+$/)
  await page.getByRole('textbox').fill('Show me around')
  await page.getByRole('textbox').press('Enter')
  await page.getByRole('region', { name: 'Decision needed' }).waitFor()
  await page.screenshot({ path: join(images, 'session.png') })
} finally {
  await browser.close()
  hub.kill('SIGTERM')
  await new Promise((resolve) => hub.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
}

function startHub(repository) {
  return spawn(
    process.execPath,
    [join(ROOT, 'packages/hub/dist/main.js'), 'start', '--port', '0'],
    {
      cwd: join(repository, '..'),
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
