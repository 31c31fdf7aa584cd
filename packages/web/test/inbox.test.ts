// The inbox of the home page: decisions in place, new results, running work, and the cost of recent sessions.
import type { ScriptedHub, ScriptedSession } from '@quayside/client/testing'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsInBothSchemes } from './accessible.js'
import { ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()

test('sessions that need a person are answered on the home page, each with its own decision', async () => {
  const { page, faults, hub } = await stage.open()
  const [first, second] = [asking(hub, 'Fix the tests'), asking(hub, 'Update the docs')]
  await goHome(page)
  const needsYou = sectionOf(page, 'Needs you (2)')
  const cards = needsYou.locator('.waiting-session')
  await cards.nth(1).getByTestId('decision-option').first().waitFor()
  const titles = await cards.locator('.session-title').allInnerTexts()
  expect(titles.toSorted()).toEqual(['Fix the tests', 'Update the docs'])
  expect(await violationsInBothSchemes(page)).toEqual([])

  // With several decisions on the page, a key would answer one that the person may not mean.
  await page.locator('h1').click()
  await page.keyboard.press('1')
  const card = cards.filter({ hasText: 'Update the docs' })
  const allow = card.getByRole('button', { name: 'Allow once' })
  await allow.and(page.locator(':not([aria-disabled])')).click()
  await sectionOf(page, 'Needs you (1)').waitFor()
  expect(answersOf(first)).toEqual([])
  expect(answersOf(second)).toEqual(['allow'])
  await needsYouCard(page, 'Fix the tests')
    .getByRole('button', { name: 'Reject', exact: true })
    .click()
  await expect.poll(() => answersOf(first)).toEqual(['reject'])
  await page.getByText('Needs you (').waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})

test('a decision that moves under the pointer is not answered by the click that was meant for another one', async () => {
  const { page, hub } = await stage.open()
  const [first, second] = [asking(hub, 'Fix the tests'), asking(hub, 'Update the docs')]
  await goHome(page)
  const armed = needsYouCard(page, 'Update the docs')
    .getByRole('button', { name: 'Allow once' })
    .and(page.locator(':not([aria-disabled])'))
  await armed.waitFor()
  await page.evaluate(clickWhenOneIsLeft)
  first.answer(first.permissions[0]!.permissionId, { optionId: 'allow' })
  await page.locator('body[data-clicked]').waitFor()
  await armed.waitFor()
  expect(answersOf(second)).toEqual([])
  await armed.click()
  await expect.poll(() => answersOf(second)).toEqual(['allow'])
})

/** Runs in the page: clicks the first decision as soon as the one above it is gone. */
function clickWhenOneIsLeft(): void {
  const list = document.querySelector('.needs-you .home-sessions')!
  const observer = new MutationObserver(() => {
    if (list.children.length > 1) return
    observer.disconnect()
    list.querySelector<HTMLElement>('[data-testid=decision-option]')?.click()
    document.body.dataset['clicked'] = 'true'
  })
  observer.observe(list, { childList: true })
}

test('the home page lists what finished since the last visit, what works, and recent sessions with their cost', async () => {
  const { page, faults, hub, session } = await stage.open()
  session.change({ title: 'Read before' })
  session.append({
    type: 'acp.update',
    data: {
      update: {
        sessionUpdate: 'usage_update',
        used: 10,
        size: 100,
        cost: { amount: 1.25, currency: 'USD' },
      },
    },
  })
  await goHome(page)
  const recent = sectionOf(page, 'Recent sessions')
  await recent.getByText('Demo agent · Idle · $1.25').waitFor()

  const other = hub.addSession({ title: 'Tidy up' })
  other.prompt([{ type: 'text', text: 'wait' }], 'turn-1')
  await sectionOf(page, 'Working (1)').getByText('Tidy up').waitFor()
  other.cancel()
  const finished = sectionOf(page, 'Finished since you left (1)')
  await finished.getByText('Tidy up').waitFor()
  await finished.getByText('New result').waitFor()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await finished.getByRole('button', { name: 'Mark all as read' }).click()
  await recent.getByText('Tidy up').waitFor()
  await expect.poll(() => page.getByText('Finished since').count()).toBe(0)
  expect(faults).toEqual([])
})

test('the composer stays in its place when the inbox arrives', async () => {
  const { page, faults, hub } = await stage.open()
  asking(hub, 'Fix the tests')
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/assets\/inbox-/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(new URL('/', page.url()).href)
  const composer = page.getByTestId('composer-input')
  await composer.waitFor()
  const before = await composer.boundingBox()
  release()
  await sectionOf(page, 'Needs you (1)').getByTestId('decision-option').first().waitFor()
  expect((await composer.boundingBox())?.y).toBe(before?.y)
  await page.unroute(/\/assets\/inbox-/)
  expect(faults).toEqual([])
})

test.each([
  { width: 720, height: 450 },
  { width: 320, height: 568 },
])(
  'decisions leave room to list and composer in a window of $width × $height',
  async (viewport) => {
    const { page, faults, hub } = await stage.open()
    for (let at = 0; at < 12; at += 1) hub.addSession()
    asking(hub, 'Fix the tests')
    await goHome(page)
    await page.setViewportSize(viewport)
    const waiting = sectionOf(page, 'Needs you (1)').getByRole('link', { name: 'Fix the tests' })
    await waiting.waitFor()
    const list = page.locator('.session-list')
    await expect
      .poll(async () => (await list.boundingBox())?.height)
      .toBeGreaterThanOrEqual(viewport.height / 6)
    const ends = page.locator('.composer-box, .send')
    const [box = 0, send = 0] = await ends.evaluateAll((found) =>
      found.map((element) => element.getBoundingClientRect().right),
    )
    expect(send).toBeLessThan(box)
    await waiting.click()
    await page.getByRole('region', { name: 'Needs your decision' }).waitFor()
    expect(faults).toEqual([])
  },
)

function asking(hub: ScriptedHub, title: string): ScriptedSession {
  const session = hub.addSession({ title })
  session.prompt([{ type: 'text', text: 'ask' }], `turn of ${title}`)
  return session
}

function answersOf({ log }: ScriptedSession): string[] {
  return log.flatMap(({ type, data }) => {
    if (type !== 'permission.resolved') return []
    const { outcome } = data as { outcome: { optionId?: string } }
    return [outcome.optionId ?? '']
  })
}

async function goHome(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Quayside home' }).click()
  await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
}

function sectionOf(page: Page, title: string) {
  return page.locator('.home-section', { has: page.getByRole('heading', { name: title }) })
}

function needsYouCard(page: Page, title: string) {
  return page.locator('.waiting-session').filter({ hasText: title })
}
