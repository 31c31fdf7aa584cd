// Drafts and unsent messages survive a lost connection, a reload, and a change of tabs.
import { expect, onTestFinished, test } from 'vitest'
import { ScriptedStage, type ScriptedPage } from './scripted-stage.js'
import { said, send } from './session-stage.js'

const stage = new ScriptedStage()

test('messages that could not be sent are all shown, and are all there after the page was left', async () => {
  const scripted = await stage.openOwn()
  const { page, hub } = scripted
  await disconnect(scripted)
  await send(page, 'echo one')
  await send(page, 'echo two')
  await page.getByTestId('composer-input').fill('echo three')
  await expect.poll(() => page.getByTestId('not-sent').count()).toBe(2)
  await page.close()
  hub.isUp = true
  const next = await page.context().newPage()
  await next.goto(page.url())
  const field = next.getByTestId('composer-input')
  await expect.poll(() => field.inputValue()).toBe('echo one\necho two\necho three')
  await next.reload()
  await field.waitFor()
  await expect.poll(() => field.inputValue()).toBe('echo one\necho two\necho three')
  expect(promptsAt(hub)).toEqual([])
})

test('messages that were sent without a connection go out once each, in their order', async () => {
  const scripted = await stage.open()
  const { page, hub, session } = scripted
  await disconnect(scripted)
  await send(page, 'echo one')
  await send(page, 'echo two')
  await page.getByTestId('not-sent').nth(1).waitFor()
  hub.isUp = true
  await said(page, 'two').waitFor()
  await expect
    .poll(() => page.getByTestId('msg-user').allInnerTexts())
    .toEqual(['echo one', 'echo two'])
  await expect.poll(() => page.getByTestId('not-sent').count()).toBe(0)
  expect(promptsAt(hub)).toEqual(['echo one', 'echo two'])
  expect(session.summary.turnCount).toBe(2)
})

test('a draft is the same in two tabs, and gone from both when one has sent it', async () => {
  const { page, faults } = await stage.open()
  const other = await page.context().newPage()
  onTestFinished(() => other.close())
  await other.goto(page.url())
  const field = other.getByTestId('composer-input')
  await field.waitFor()
  await page.getByTestId('composer-input').fill('echo shared')
  await expect.poll(() => field.inputValue()).toBe('echo shared')
  await page.keyboard.press('Enter')
  await said(other, 'shared').waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  expect(faults).toEqual([])
})

test('a chosen file is sent with the message, also after a reload', async () => {
  const { page, faults, hub } = await stage.open()
  hub.commands['repo/files'] = () => ({ files: ['README.md'], total: 1 })
  await page.getByTestId('composer-input').fill('echo @READ')
  await page.getByRole('option').getByText('README.md').waitFor()
  await page.keyboard.press('Enter')
  await page.reload()
  await page.getByText('Demo agent is ready. What').waitFor()
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('echo @README.md ')
  await page.getByTestId('send').click()
  await page.getByTestId('msg-user').waitFor()
  const sent = hub.requests.findLast(({ path }) => path.endsWith('/prompt'))
  expect(JSON.stringify(sent?.body)).toContain('resource_link')
  expect(faults).toEqual([])
})

test('a message that the hub accepts slowly is visible, and can be withdrawn', async () => {
  const { page, faults } = await stage.open()
  await page.route('**/prompt', () => {})
  await send(page, 'echo slowly')
  await page.getByTestId('not-sent').getByText('Sending…').waitFor()
  await page.getByTestId('not-sent').getByRole('button', { name: 'Edit' }).click()
  await page.getByTestId('not-sent').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('echo slowly')
  await page.unroute('**/prompt')
  // The hub has never received it, which the browser reports.
  await expect.poll(() => faults).toEqual([expect.stringContaining('/queue/')])
})

test('text from a link is marked, and changes no draft', async () => {
  const { page, faults } = await stage.open()
  const field = page.getByTestId('composer-input')
  const mark = page.getByTestId('foreign-text')
  const link = (text: string) => `/new?prompt=${encodeURIComponent(text)}`
  await page.goto(new URL(link('rm -rf\u200B x'), page.url()).href)
  await mark.getByText('This text came with a link.').waitFor()
  await expect.poll(() => field.inputValue()).toBe(String.raw`rm -rf\u200b x`)
  await field.fill('mine')
  await page.reload()
  await mark.waitFor()
  await expect.poll(() => field.inputValue()).toBe('mine')

  await page.goto(new URL(link('evil'), page.url()).href)
  const offer = page.getByTestId('foreign-offer')
  await offer.getByText('evil').waitFor()
  await expect.poll(() => field.inputValue()).toBe('mine')
  await offer.getByRole('button', { name: 'Keep my draft' }).click()
  await offer.waitFor({ state: 'detached' })
  await expect.poll(() => field.inputValue()).toBe('mine')
  await page.reload()
  await offer.getByRole('button', { name: 'Replace my draft' }).click()
  await expect.poll(() => field.inputValue()).toBe('evil')
  await mark.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => field.inputValue()).toBe('')
  await expect.poll(() => mark.count()).toBe(0)
  expect(faults).toEqual([])
})

test('a sign-out removes the drafts of this browser', async () => {
  const { page, hub } = await stage.open()
  hub.routes.set('POST /api/logout', () => ({ body: {} }))
  await page.getByTestId('composer-input').fill('a secret plan')
  const keptDrafts = () =>
    page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('draft')))
  await expect.poll(() => keptDrafts()).toHaveLength(1)
  const address = page.url()
  await page.goto(new URL('/settings/access', address).href)
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Sign out of this browser' }).click()
  await loaded
  await expect.poll(() => keptDrafts()).toEqual([])
  await page.goto(address)
  await page.getByText('Demo agent is ready. What').waitFor()
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('')
})

async function disconnect({ page, hub }: ScriptedPage): Promise<void> {
  hub.isUp = false
  hub.drop()
  await page.getByText('Not connected. Your agents keep working').waitFor()
}

/** The texts of the prompts that arrived. */
function promptsAt(hub: ScriptedPage['hub']): (string | undefined)[] {
  return hub.requests
    .filter(({ path }) => path.endsWith('/prompt'))
    .map(({ body }) => (body as { prompt: { text?: string }[] }).prompt[0]?.text)
}
