// Reading a session of a scripted agent: links to items, and the rendering of answers.
import { expect, test } from 'vitest'
import { ScriptedStage } from './scripted-stage.js'
import { distanceFromEnd, said, send } from './session-stage.js'

const stage = new ScriptedStage()

test('a link to an unknown item opens the end', async () => {
  const { page, faults } = await stage.open()
  await send(page, 'drip 200')
  await said(page, 'drop 200').waitFor()
  await page.goto(`${page.url()}#m-nothing`)
  await page.reload()
  await said(page, 'drop 200').waitFor()
  await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(2)
  await expect.poll(() => page.getByTestId('jump-latest').count()).toBe(0)
  expect(faults).toEqual([])
})

test('a long answer is Markdown, with code that can be copied and links that show their host', async () => {
  const { page, faults } = await stage.open()
  await send(
    page,
    'echo # Title\n\nSome **bold** and [a link](https://example.com/x).\n\n```ts\nconst a = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  )
  const said = page.getByTestId('msg-agent').last()
  await said.getByRole('heading', { name: 'Title' }).waitFor()
  await said.locator('.hl-keyword').waitFor()

  await expect.poll(() => said.getByRole('link').innerText()).toBe('a link (example.com)')
  await expect
    .poll(() => said.getByRole('link').getAttribute('rel'))
    .toBe('noopener noreferrer nofollow')
  await expect.poll(() => said.getByRole('table').innerText()).toContain('1')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await said.getByRole('button', { name: 'Copy code' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(() => copied()).toBe('const a = 1')
  await said.getByRole('button', { name: 'Copy as Markdown' }).click()
  await expect.poll(copied).toMatch(/^# Title\n\nSome \*\*bold\*\*/)
  await said.getByRole('button', { name: 'Copy message' }).click()
  const shown = 'Title\nSome bold and a link (example.com).\n\nconst a = 1\na\tb\n1\t2'
  await expect.poll(copied).toBe(shown)
  await page.getByRole('button', { name: 'Skip to the latest message' }).press('Enter')
  await expect
    .poll(() => page.getByRole('log').evaluate((log) => log === document.activeElement))
    .toBe(true)
  expect(faults).toEqual([])
})

test('a click counts although the conversation grows between press and release', async () => {
  const { page, faults, session } = await stage.open()
  await send(page, 'drip 60')
  await said(page, 'drop 60').waitFor()
  await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(2)
  const copy = page.getByTestId('msg-agent').last().getByRole('button', { name: 'Copy message' })
  await copy.hover()
  const { x = 0, y = 0, width = 0, height = 0 } = (await copy.boundingBox()) ?? {}
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  session.prompt([{ type: 'text', text: 'drip 40' }], 'turn-2')
  await expect.poll(() => distanceFromEnd(page)).toBeGreaterThan(200)
  await page.mouse.up()
  await page.getByText('Copied', { exact: true }).first().waitFor()
  await page.getByTestId('jump-latest').waitFor()
  expect(faults).toEqual([])
})
