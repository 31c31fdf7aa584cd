// The side panels of a session in a real browser, with a real hub and a real shell.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page, WebSocketRoute } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { HOSTILE_TEXT, PanelStage, recordTyped } from './panel-story.js'
import { SCREENS } from './test-browser.js'

const WIDE = { viewport: { width: 1440, height: 900 } }

const stage = new PanelStage()

describe.each([
  ['desktop', WIDE],
  ['phone', SCREENS.phone],
])('on a %s', (_name, screen) => {
  test('edits are listed with their diff, file and permission on the wire; a hostile name is text, an image is shown, other files have a note', async () => {
    await using story = await stage.begin(screen)
    const { page } = story
    await story.openPanel('Changes')
    await page.getByText('No changes yet.').waitFor()
    await story.leavePanel()
    await story.edit('src/prices.ts')

    await story.openPanel('Changes')
    await page.getByRole('tab', { name: 'Changes 1' }).waitFor()
    const row = page.getByRole('list', { name: 'Changed files' }).getByRole('button')
    await expect.poll(() => row.innerText()).toMatch(/M\s+src\/\s*prices\.ts\s+\+1/)
    await row.click()
    const diff = page.getByRole('group', { name: 'Changed lines' })
    await diff.getByText('Edited by the Quayside demo agent.').waitFor()
    await page.getByRole('button', { name: 'Open file' }).click()
    const content = page.getByRole('group', { name: 'Content of src/prices.ts' })
    await content.getByText('Edited').waitFor()

    await story.openPanel('Wire')
    await page.getByRole('searchbox', { name: 'Filter messages' }).fill('toolCallId')
    await page.getByRole('combobox', { name: 'Method' }).selectOption('session/request_permission')

    const request = page.getByRole('button', { name: 'session/request_permission' })
    await request.click()
    const message = page.locator('.wire-message')
    await message.getByText('"options"').waitFor()
    expect(JSON.parse(await message.locator('pre').innerText())).toMatchObject({
      method: 'session/request_permission',
      params: { toolCall: { kind: 'edit' } },
    })
    await page.getByRole('searchbox', { name: 'Filter messages' }).fill('')
    await page.getByRole('button', { name: 'result session/request_permission' }).waitFor()

    await story.openPanel('Files')
    await readFiles(page)
    expect(story.faults).toEqual([])
  })
})

/** From the list of all files. */
async function readFiles(page: Page): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find a file' }).fill('gpj')
  await page.getByRole('button', { name: String.raw`\u202egpj.<img src=x` }).click()

  const content = page.getByRole('group', { name: /Content of src/ })
  await content.getByText('<script>').waitFor()
  await content.locator('[class^=hl-]').first().waitFor()
  const lines = await content.locator('.line-text').allInnerTexts()
  const plain = HOSTILE_TEXT.replace('\u202E', '\\u202e').replace('\u0007', '\\u0007')
  expect(lines.join('\n')).toBe(plain.trimEnd())
  await expect.poll(() => page.locator('img, script:not([src])').count()).toBe(0)
  await expect.poll(() => page.title()).not.toBe('owned')
  await page.getByRole('button', { name: 'All files' }).click()
  await page.getByRole('searchbox', { name: 'Find a file' }).fill('')
  await page.getByRole('button', { name: 'flag.png' }).click()
  const picture = page.getByRole('img', { name: 'flag.png' })
  await picture.waitFor()
  await picture.evaluate((image: HTMLImageElement) => image.decode())
  await page.getByRole('button', { name: 'All files' }).click()
  await page.getByRole('button', { name: 'tool.bin' }).click()
  await page.getByText('A binary file of 3 B.').waitFor()
  await page.getByRole('button', { name: 'All files' }).click()
  const recent = page.getByRole('list', { name: 'Recent' }).getByRole('button')
  await expect.poll(() => recent.count()).toBe(3)
}

test('a diff of many thousand lines is drawn as far as it is seen, with the changed words marked', async () => {
  await using story = await stage.begin(WIDE)
  const { page } = story
  // A turn starts after the snapshot of the repository is taken.
  await story.send('echo ready')
  await page.getByText('ready', { exact: true }).waitFor()
  const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at + 1} of a long file`)
  await writeFile(join(story.repo, 'longer.txt'), lines.join('\n'))
  await story.openPanel('Changes')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('Large diff (50,000 lines).').waitFor()
  await page.getByRole('button', { name: 'Load' }).click()
  const diff = page.getByRole('group', { name: 'Changed lines' })
  await diff.getByText('line 1 of a long file').waitFor()
  await expect.poll(() => diff.locator('.patch-line').count()).toBeLessThan(300)
  await diff.focus()
  await page.keyboard.press('End')
  await diff.getByText('line 50000 of a long file').waitFor()

  await writeFile(join(story.repo, 'README.md'), '# A better shop\n')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const files = page.getByRole('list', { name: 'Changed files' })
  await files.getByRole('button', { name: 'README.md' }).click()
  await diff.getByText('# A better shop').waitFor()
  // The words are compared in a worker, after the lines are rendered.
  await expect
    .poll(() => diff.locator('mark').allInnerTexts())
    .toEqual([expect.stringMatching(/^\s*better\s*$/)])
  expect(story.faults).toEqual([])
})

test('a terminal goes on after a lost connection and after a reload, without gap or repeat', async () => {
  const sockets: WebSocketRoute[] = []
  const prepare = (context: BrowserContext) =>
    context.routeWebSocket(/\/ws$/, (socket) => {
      socket.connectToServer()
      sockets.push(socket)
    })
  await using story = await stage.begin({ ...WIDE, isOwnPage: true, prepare })
  const { page } = story
  await story.openPanel('Terminals')
  await page.getByRole('button', { name: 'Open a terminal' }).click()
  const go = join(story.repo, 'go')
  const wait = `if [ $i = 10 ]; then until [ -e ${go} ]; do sleep 0.1; done; fi`
  await story.type(
    `PS1='> '; clear; for i in $(seq 20); do echo "tick $i"; ${wait}; done; echo en""d`,
  )
  await story.printed('tick 10')

  await sockets.at(-1)?.close({ code: 1001 })
  await writeFile(go, '')

  await story.printed(/^end$/)
  expect(sockets.length).toBeGreaterThan(1)
  const ticks = [...(await story.screen()).matchAll(/^tick (\d+)$/gm)].map(([, tick]) =>
    Number(tick),
  )
  expect(ticks).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))

  await story.type(String.raw`printf 'be\033[38;2;9;99;199mfo\033[0mre %s\n' re""load`)
  await story.printed('before reload')
  await page.reload()
  await story.printed('before reload')
  await story.type('echo after re""load; exit 3')
  await page.getByText('Exited with code 3').waitFor()
  await expect.poll(() => story.screen()).toMatch(/before reload[\s\S]*after reload/)
  await page.getByRole('button', { name: 'Close terminal' }).click()
  await page.getByText('No terminals yet.').waitFor()
  expect(story.faults).toEqual([])
})

test('a terminal types nothing by itself: not when it is loaded again, and in one tab at most', async () => {
  const typed: string[] = []
  const prepare = async (context: BrowserContext) => recordTyped(context.pages()[0]!, typed)
  await using story = await stage.begin({ ...WIDE, isOwnPage: true, prepare })
  const { page } = story
  await story.openPanel('Terminals')
  await page.getByRole('button', { name: 'Open a terminal' }).click()
  await story.type("PS1='> '; clear")
  await story.type(`${QUERIES} as""ked`)
  await story.printed(/^asked/)
  // The terminal and the position of the cursor; no colours and no state of the screen.
  await expect
    .poll(() => typed.join('').split('\u001B').slice(1))
    .toEqual(['[?1;2c', expect.stringMatching(/^\[\d+;\d+R$/)])
  typed.length = 0

  for (let load = 0; load < 2; load += 1) {
    await page.reload()
    await story.printed(/^asked/)
  }
  expect(typed).toEqual([])

  const other = await page.context().newPage()
  const typedElsewhere: string[] = []
  recordTyped(other, typedElsewhere)
  await other.addInitScript(() => (document.hasFocus = () => false))
  await other.goto(page.url())
  const row = other.locator('.xterm-rows > div', { hasText: /^asked again/ })
  await other
    .locator('.xterm-rows > div', { hasText: /^asked/ })
    .last()
    .waitFor()
  await story.type(`${QUERIES} "as""ked again"`)
  await row.waitFor()
  await expect.poll(() => typed.join('')).toContain('\u001B[?1;2c')
  expect(typedElsewhere).toEqual([])
  expect(story.faults).toEqual([])
})

/** Asks for the terminal, the cursor, the state of the screen and the colours, reads the answers, then prints a line. */
const QUERIES = String.raw`printf '\033[c\033P$qm\033\\\033]11;?\033\\\033]4;1;?\007\033[6n'; read -rsd R; printf '\n%s\n'`

test('a paste of several lines needs a confirmation, a program can neither copy nor open anything, and its output is searchable', async () => {
  await using story = await stage.begin(WIDE)
  const { page } = story
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await story.openPanel('Terminals')
  await page.getByRole('button', { name: 'Open a terminal' }).click()
  await story.type('PS1=\'> \'; echo be""gin')
  await story.printed('begin')
  await page.evaluate(() => navigator.clipboard.writeText('mine'))
  const field = page.getByRole('textbox', { name: 'Terminal input' })

  await paste(field, 'echo one\necho two\n')
  const question = page.getByRole('alertdialog', { name: 'Paste 2 lines?' })
  await question.getByText('echo two').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => story.screen()).not.toContain('echo one')
  await paste(field, 'echo one\necho two\n')
  await question.getByRole('button', { name: 'Paste' }).click()
  // Most shells support bracketed paste: they show the text and wait for Enter.
  await story.printed('echo two')
  await page.keyboard.press('Enter')
  await page.locator('.xterm-rows > div', { hasText: /^two/ }).waitFor()

  await story.type(
    String.raw`printf '\033]52;c;aGFja2Vk\007\033]8;;http://evil.example/\007link\033]8;;\007 %s\n' sh""own`,
  )
  await story.printed('link shown')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('mine')
  const row = page.locator('.xterm-rows > div', { hasText: 'link shown' })
  const { x = 0, y = 0 } = (await row.boundingBox()) ?? {}
  await page.mouse.move(x + 8, y + 8)
  await page.mouse.move(x + 10, y + 8)
  await page.locator('.xterm-cursor-pointer').waitFor()
  await page.mouse.click(x + 10, y + 8)
  const offer = page.getByRole('alertdialog', { name: 'A program in this terminal offers a link' })
  await offer.getByText('http://evil.example/').waitFor()
  expect(page.context().pages()).toHaveLength(1)
  await offer.getByRole('button', { name: 'Dismiss' }).click()

  await page.getByRole('button', { name: 'Close terminal' }).click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await story.type('echo still th""ere')
  await story.printed('still there')

  await story.type('echo nee""dle; seq 300; echo do""ne')
  await story.printed('done')
  await expect.poll(() => story.screen()).not.toContain('needle')
  await page.getByRole('button', { name: 'Find in the output' }).click()
  const search = page.getByRole('textbox', { name: 'Find in the output' })
  await search.fill('needle')
  await story.printed('needle')
  await page.locator('.xterm-selection > div').first().waitFor()
  await search.fill('haystack')
  await page.getByText('No match').waitFor()
  await search.press('Escape')
  await page.getByRole('button', { name: 'Find in the output' }).waitFor()
  expect(story.faults).toEqual([])
})

test('on a phone a terminal survives a reload, the missing keys are there, and Ctrl holds for a letter', async () => {
  await using story = await stage.begin(SCREENS.phone)
  const { page } = story
  await story.openPanel('Terminals')
  await page.getByRole('button', { name: 'Open a terminal' }).click()
  await story.type('PS1=\'> \'; clear; echo before re""load')
  await story.printed('before reload')
  await page.reload()
  await story.printed('before reload')
  await story.type('cat')
  const keys = page.getByRole('toolbar', { name: 'Keys that a phone does not have' })
  for (const button of await keys.getByRole('button').all())
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await story.type('typed')
  // The terminal echoes it, and cat prints it again.
  await expect.poll(() => story.screen()).toMatch(/typed\ntyped/)
  await keys.getByRole('button', { name: 'Ctrl' }).tap()
  await page.getByRole('textbox', { name: 'Terminal input' }).focus()
  await page.keyboard.type('c')
  await expect.poll(() => story.screen()).toMatch(/\^C\n>$/m)
  await keys.getByRole('button', { name: 'Ctrl' }).tap()
  await keys.getByRole('button', { name: 'Up' }).tap()
  await expect.poll(() => story.screen()).toMatch(/\^C\n> cat$/m)
  expect(story.faults).toEqual([])
})

test('the panel keeps its tab and width, covers the page on small screens, and is reachable by keyboard', async () => {
  await using story = await stage.begin(WIDE)
  const { page } = story
  await page.keyboard.press('Control+j')
  await page.getByRole('tab', { name: 'Changes' }).focus()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('tabpanel', { name: 'Wire' }).waitFor()
  const panel = page.getByRole('region', { name: 'Session panels' })
  const widthOf = async () => (await panel.boundingBox())?.width
  const width = (await widthOf()) ?? 0
  await page.getByRole('separator', { name: 'Resize side panel' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(widthOf).toBe(width + 24)

  await page.reload()
  await page.getByRole('tabpanel', { name: 'Wire' }).waitFor()
  await expect.poll(widthOf).toBe(width + 24)
  await page.keyboard.press('Control+j')
  await panel.waitFor({ state: 'detached' })

  await page.setViewportSize({ width: 1024, height: 768 })
  await story.openPanel('Terminals')
  await page.getByRole('button', { name: 'Open a terminal' }).click()
  await story.type("PS1='> '; IFS= read -rsn1 key; printf 'got %q\\n' \"$key\"")
  // In a terminal, Escape belongs to the program; elsewhere it closes the panel.
  await page.keyboard.press('Escape')
  await story.printed(String.raw`got $'\E'`)
  await page.getByRole('tab', { name: 'Terminals' }).focus()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Session panels' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Open the side panel' }).waitFor()
  expect(story.faults).toEqual([])
})

/** The event that a browser sends when a person pastes. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const event = { clipboardData, bubbles: true, cancelable: true }
    element.dispatchEvent(new ClipboardEvent('paste', event))
  }, text)
}
