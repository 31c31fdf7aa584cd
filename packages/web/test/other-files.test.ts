// The changes panel in a work tree that several sessions share, on a scripted hub.
import { expect, test } from 'vitest'
import { violationsOf } from './accessible.js'
import { ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()

const OWN = { path: 'src/own.ts', status: 'M', kind: 'text', added: 2, removed: 1 } as const
const OTHER = {
  path: 'main.tf',
  status: 'A',
  kind: 'text',
  added: 3,
  removed: 0,
  by: { sessionId: 'other', title: 'Set up the network' },
} as const

test('files of another session are in a group of their own, linked to it, and not counted', async () => {
  const { page, hub, session, faults } = await stage.open()
  let total = 1
  hub.commands['session/changes'] = () => ({
    is: 'known',
    files: total === 0 ? [OTHER] : [OWN, OTHER],
    total,
    added: 2 * total,
    removed: total,
    isTruncated: false,
  })
  hub.addSession({ id: 'other', title: 'Set up the network' })
  hub.routes.set('GET /api/repos/repo-1/status?sessionId=other', () => ({ body: { files: [] } }))
  await page.goto(`${new URL(page.url()).origin}/s/${session.id}/changes`)
  const list = page.getByRole('list', { name: 'Changed files' })
  await list.getByText('own.ts').waitFor()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  await page.getByText('0 of 1 viewed').waitFor()
  const group = page.getByRole('region', { name: 'Changed by Set up the network' })
  await group.getByText('main.tf').waitFor()
  expect(await violationsOf(page, { isOnlyWcag: true })).toEqual([])

  total = 0
  await page.getByRole('button', { name: 'Refresh' }).press('Enter')
  await page.getByRole('list', { name: 'Changed files' }).waitFor({ state: 'detached' })
  await group.getByRole('link', { name: 'Set up the network' }).click()
  await page.waitForURL(/\/s\/other/)
  expect(faults).toEqual([])
})
