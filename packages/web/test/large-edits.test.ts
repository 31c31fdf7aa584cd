// Permissions for edits of large files: the page shows the diff of the whole texts, or says that it cannot.
import { writeCut } from '@quayside/protocol'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()
const OPTIONS = [{ optionId: 'yes', name: 'Allow once', kind: 'allow_once' }]
const CUT = writeCut({ text: 'line 1\n', is: 'beginning', media: '/media/old', bytes: 405_779 })

/** A pending permission for an edit whose texts were truncated. */
async function propose(diff: object | undefined, patch = '') {
  const { page, session, faults } = await stage.open()
  await page.unroute('**/media/patch')
  await page.route('**/media/patch', (route) =>
    route.fulfill({ contentType: 'text/x-diff', body: patch }),
  )
  const entry = { type: 'diff' as const, path: '/src/shop-api/big.csv', oldText: CUT, newText: CUT }
  const content = [diff ? { ...entry, _meta: { quayside: { diff } } } : entry]
  const toolCall = { toolCallId: 'ask', title: 'Edit big.csv', kind: 'edit', content }
  session.append(
    { type: 'turn.queued', data: { turnId: 't', prompt: [{ type: 'text', text: 'Do it' }] } },
    { type: 'turn.started', data: { turnId: 't' } },
    {
      type: 'permission.requested',
      data: { permissionId: 'p', turnId: 't', toolCall, options: OPTIONS },
    },
  )
  const dock = page.getByTestId('decision-dock')
  await dock.waitFor()
  return { page, dock, faults }
}

async function linkTo(page: Page, name: string): Promise<string | null> {
  return page.getByTestId('decision-dock').getByRole('link', { name }).getAttribute('href')
}

test('one changed line of a large file is shown with its number and its words', async () => {
  const patch = '@@ -5998,3 +5998,3 @@\n line 5998\n line 5999\n-line 6000 was\n+line 6000 is\n'
  const { dock, faults } = await propose({ added: 1, removed: 1, patch })
  await dock.getByText('5,997 unchanged lines').waitFor()
  const added = dock.locator('.diff-line[data-sign="+"]')
  await added.locator('b', { hasText: 'is' }).waitFor()
  await expect.poll(() => added.locator('.diff-number').innerText()).toBe('6000')
  await expect.poll(() => dock.getByText('cut here').count()).toBe(0)
  expect(faults).toEqual([])
})

test('30,000 changed lines are counted, loaded on request and drawn as far as they are seen', async () => {
  const side = (sign: string, word: string) =>
    Array.from({ length: 30_000 }, (_, at) => `${sign}line ${at + 1} ${word}\n`).join('')
  const patch = `@@ -1,30000 +1,30000 @@\n${side('-', 'was')}${side('+', 'is')}`
  const counts = { added: 30_000, removed: 30_000 }
  const { dock, faults } = await propose({ ...counts, patchMedia: '/media/patch' }, patch)
  await dock.getByText('+30000').waitFor()
  await dock.getByRole('button', { name: 'Large diff (60,000 lines). Load' }).click()
  await dock.getByRole('button', { name: 'Show all 60,000 lines' }).click()
  await dock.getByText('line 17 was').waitFor()
  await expect.poll(() => dock.locator('.diff-line').count()).toBeLessThan(300)
  await dock.getByRole('group', { name: 'Output' }).press('End')
  await dock.getByText('line 30000 is').waitFor()
  await dock.getByRole('button', { name: 'Allow once' }).waitFor()
  expect(faults).toEqual([])
})

test('an edit that is too large to show has its counts, both whole texts and its options', async () => {
  const media = { oldMedia: '/media/old', newMedia: '/media/new' }
  const { page, dock } = await propose({ added: 90_000, removed: 80_000, ...media })
  await dock.getByText('Too large to show: 90,000 lines added, 80,000 lines removed.').waitFor()
  await expect.poll(() => linkTo(page, 'Download the old text')).toBe('/media/old')
  await expect.poll(() => linkTo(page, 'Download the new text')).toBe('/media/new')
  await dock.getByRole('button', { name: 'Allow once' }).waitFor()
})

test('truncated texts without a diff are never compared', async () => {
  const { page, dock } = await propose(undefined)
  await dock.getByText('Too large to show.').waitFor()
  await expect.poll(() => linkTo(page, 'Download the old text')).toBe('/media/old')
  await expect.poll(() => dock.locator('.diff-line').count()).toBe(0)
})
