// A9. Two hundred sessions: find last week's.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentChatClient } from '@quayside/client'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { says, storeSessions } from '../../../hub/test/stored-sessions.js'
import type { Prepare } from '../hub-process.js'
import { DESKTOP, LONG, status, send, Story, TOKEN, violationsIn } from './story.js'

const SESSIONS = 200
const REPOS = ['shop-api', 'web-store'] as const

test('one of two hundred sessions is found, renamed, archived, restored and exported', async () => {
  const story = await Story.begin({}, store)
  await beginThree(story)
  const { page, faults } = await story.open('/', DESKTOP)
  const rows = page.getByTestId('session-row')
  await showOnly(page, 'web-store')
  await page.getByRole('button', { name: /^Needs you/ }).click()
  await expect.poll(() => rows.allInnerTexts(), LONG).toHaveLength(1)
  await expect.poll(() => rows.innerText()).toMatch(/^ask[\s\S]*Needs your permission/)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await showOnly(page, 'All repositories')

  await page.getByRole('searchbox').fill('walrus')
  await rows.locator('mark', { hasText: 'walrus' }).waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('searchbox').press('Enter')
  await page.waitForURL(/#m-\d+$/)
  const hit = page.locator('.row[data-linked]')
  await hit.getByText('the walrus sings').waitFor()
  await expect.poll(() => isInSight(page), LONG).toBe(true)
  await page.getByTestId('jump-latest').waitFor()
  await expect.poll(() => violationsIn(page), LONG).toEqual([])

  await rows.focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Session name' }).fill('Sea songs')
  await page.keyboard.press('Enter')
  await rows.getByText('Sea songs').waitFor()
  await page.reload()
  await page.getByTestId('jump-latest').click()
  await send(page, 'title What the agent calls it')
  await page.getByTestId('msg-user').getByText('title What').waitFor()
  await status(page, 'Idle')
  await page.locator('header h1').getByText('Sea songs', { exact: true }).waitFor()

  await page.getByRole('searchbox').fill('walrus')
  await rows.getByText('Sea songs').waitFor()
  await page.getByRole('button', { name: 'Actions for Sea songs' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as Markdown' }).click(),
  ])
  const markdown = await readFile(await download.path(), 'utf8')
  for (const text of ['echo the walrus sings', 'Read README.md', 'the walrus sings'])
    expect(markdown).toContain(text)

  await page.getByRole('searchbox').fill('')
  // The rows of the search are replaced by those of the whole list.
  await rows.locator('mark').first().waitFor({ state: 'detached' })
  const sea = rows.filter({ hasText: 'Sea songs' })
  await sea.focus()
  await page.keyboard.press('e')
  await sea.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await sea.waitFor()
  await sea.focus()
  await page.keyboard.press('e')
  await sea.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Archived', exact: true }).click()
  await sea.click()
  await page.getByText('Archived. Read only.').waitFor()
  await expect.poll(() => page.getByTestId('composer').count()).toBe(0)
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  await page.getByRole('button', { name: 'Unarchive' }).click()
  await page.getByTestId('composer').waitFor()

  await onlyKeys(page)
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  // A prompt to an ended session is refused once, and then resumes it.
  expect(faults.filter((fault) => !fault.includes('409 (Conflict)'))).toEqual([])
}, 400_000)

async function showOnly(page: Page, repo: string): Promise<void> {
  await page.getByRole('button', { name: /^Filter by/ }).click()
  await page.getByRole('menuitemradio', { name: repo }).click()
}

/** Ended conversations, alternating between the two repositories. */
async function store({ root, dataFolder }: Parameters<Prepare>[0]): Promise<void> {
  const sessions = Array.from({ length: SESSIONS - REPOS.length - 1 }, (_, number) => ({
    repo: join(root, REPOS[number % REPOS.length]!),
    agent: 'fake-shared',
    turns: [{ prompt: `echo task ${number}`, updates: [says(`task ${number}`)] }],
  }))
  await storeSessions(dataFolder, sessions)
}

/** One session with a walrus in its middle, and one waiting session in each repository. */
async function beginThree(story: Story): Promise<void> {
  await using client = new AgentChatClient({ url: story.hub.origin, token: TOKEN, WebSocket })
  const [repo] = REPOS
  const session = await client.newSession({ repo, agent: 'fake-shared' })
  for (const text of ['read README.md', 'stream 200', 'echo the walrus sings', 'stream 200'])
    await session.prompt(text)
  await session.complete()
  for (const repo of REPOS) {
    const waiting = await client.newSession({ repo, agent: 'fake-shared' })
    await waiting.prompt('ask').accepted
  }
}

/** A keyboard user reaches everything and never loses the focus. */
async function onlyKeys(page: Page): Promise<void> {
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await page.getByTestId('composer-input').focus()
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(page), LONG).toBe(true)
  const before = page.url()
  await page.keyboard.press('Alt+ArrowDown')
  await page.waitForURL((url) => url.pathname.startsWith('/s/') && url.href !== before)
  await expect.poll(() => hasFocus(page), LONG).toBe(true)
  await page.keyboard.press('Alt+n')
  await page.getByTestId('decision-dock').waitFor()
  await expect.poll(() => hasFocus(page), LONG).toBe(true)
  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
  await expect.poll(() => hasFocus(page), LONG).toBe(true)
}

function hasFocus(page: Page): Promise<boolean> {
  return page.evaluate(
    () => document.activeElement !== null && document.activeElement !== document.body,
  )
}

function isInSight(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const row = document.querySelector('.row[data-linked]')?.getBoundingClientRect()
    const log = document.querySelector('.timeline')!.getBoundingClientRect()
    return row !== undefined && row.top >= log.top && row.bottom <= log.bottom
  })
}
