// The first visit to a first task: an agent is installed and chosen, a repository is chosen, a sample task starts.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { SessionSummary } from '@quayside/protocol'
import { ScriptedStage } from './scripted-stage.js'
import { DESKTOP, Story, violationsIn } from './stories/story.js'

const DEMO_AGENT = fileURLToPath(new URL('../../demo-agent/bundle/main.js', import.meta.url))
const stage = new ScriptedStage()

test('a missing agent is installed in a terminal, chosen, and starts a sample task in the chosen repository', async () => {
  const bin = await programs()
  const story = await Story.begin({ PATH: [bin, process.env['PATH']].join(delimiter) })
  const { page, faults } = await story.open('/', { ...DESKTOP, isFirstVisit: true })
  await page.waitForURL(`${story.hub.origin}/welcome`)
  const agent = (name: string) => page.getByTestId('agent').filter({ hasText: name })
  await page.getByText('1 other agent you can install').click()
  const missing = agent('Missing agent')
  await missing.getByText('npm install -g fake-missing').waitFor()
  await expect.poll(() => missing.getByRole('radio').count()).toBe(0)
  await page.getByRole('radio', { name: 'Fake agent' }).and(page.locator(':checked')).waitFor()
  expect(await violationsIn(page)).toEqual([])

  await missing.getByRole('button', { name: 'Install Missing agent' }).click()
  await page.waitForURL(/\/terminals\//)
  await page.getByText('fake-missing is installed').waitFor()
  await page.getByRole('link', { name: 'Back to agents' }).click()
  await missing.getByText(/^Ready/).waitFor()
  await page.getByRole('radio', { name: 'Missing agent' }).click()

  const card = page.getByRole('button', { name: 'Work in web-store' })
  await card.click()
  await expect.poll(() => card.getAttribute('aria-pressed')).toBe('true')
  expect(page.url()).toBe(`${story.hub.origin}/welcome`)
  await page.getByRole('button', { name: 'Take the tour' }).click()
  await page.waitForURL(/\/s\/[^/]+$/)
  // The message itself may be above the shown part of the conversation by now.
  await page.getByRole('heading', { level: 1, name: /^Show me around/ }).waitFor()
  const { sessions } = await story.call<{ sessions: SessionSummary[] }>('GET', '/api/sessions')
  expect(sessions).toMatchObject([{ extensionId: 'fake-missing', turnCount: 1 }])
  expect(faults).toEqual([])
}, 120_000)

test('on the home page a repository card selects, and a missing agent shows how to install it', async () => {
  const { page, faults, hub } = await stage.open()
  const command = 'npm install -g other-agent'
  const other = { id: 'other', name: 'Other agent', type: 'acp', enabled: true } as const
  hub.extensions.push({ ...other, state: 'enabled', installed: false })
  hub.repos.push({ ...hub.repos[0]!, id: 'repo-2', name: 'web-store', path: '/src/web-store' })
  hub.routes.set('GET /api/extensions/other', () => ({ body: { ...other, install: command } }))
  hub.routes.set('POST /api/extensions/other/probe', () => ({
    body: { extensionId: 'other', state: 'ready', abilities: [], problems: [] },
  }))
  await page.goto(new URL('/', page.url()).href)
  await page.getByRole('button', { name: 'Work in web-store' }).click()
  await page.getByRole('button', { name: 'Repository: web-store' }).waitFor()
  expect(hub.requests.filter(({ method }) => method === 'POST')).toEqual([])

  await page.getByRole('button', { name: 'Agent: Demo agent' }).click()
  await page.getByRole('option', { name: /^Other agent/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Install Other agent' })
  await dialog.getByText(command).waitFor()
  await dialog.getByRole('button', { name: 'Copy' }).waitFor()
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('button', { name: 'Agent: Demo agent' }).waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Check again' }).click()
  await dialog.getByRole('button', { name: 'Use Other agent' }).click()
  await page.getByRole('button', { name: 'Agent: Other agent' }).waitFor()
  expect(faults).toEqual([])
})

/** A folder with an `npm` that installs the missing agent beside itself. */
async function programs(): Promise<string> {
  const bin = await mkdtemp(join(tmpdir(), 'quayside-bin-'))
  onTestFinished(() => rm(bin, { recursive: true, force: true }))
  const installed = join(bin, 'fake-missing-agent')
  const agent = `#!/bin/sh\\nexec "${process.execPath}" "${DEMO_AGENT}"\\n`
  const npm = `#!/bin/sh
printf '${agent}' > "${installed}"
chmod +x "${installed}"
echo "$3 is installed"
`
  await writeFile(join(bin, 'npm'), npm, { mode: 0o755 })
  return bin
}
