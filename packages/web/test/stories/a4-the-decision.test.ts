// A4. The decision: answered once, from either device.
import type { WireFrame } from '@quayside/protocol'
import { expect, test } from 'vitest'
import {
  DESKTOP,
  LONG,
  PHONE,
  recordTexts,
  said,
  send,
  status,
  Story,
  violationsIn,
} from './story.js'

const NAMES = ['Yes, once', 'Yes, always for npm', 'No thanks']

test('a question is asked on every device in the agent’s words, and answered once', async () => {
  const story = await Story.begin()
  const { page: desktop, faults, id } = await story.openSession(DESKTOP)
  const { page: phone, faults: phoneFaults } = await story.open(`/s/${id}`, PHONE)
  await send(desktop, 'stream 300')
  await status(desktop, 'Idle')
  await send(desktop, `ask ${NAMES.join(' | ')}`)
  await desktop.getByTestId('composer-input').focus()
  const docks = [desktop, phone].map((page) => page.getByTestId('decision-dock'))
  for (const dock of docks) await dock.waitFor()
  // Keys typed before the question appears do not answer it.
  await desktop.keyboard.press('1')
  await expect.poll(() => desktop.getByTestId('composer-input').inputValue()).toBe('1')
  for (const dock of docks) {
    const options = await dock.getByTestId('decision-option').allInnerTexts()
    expect(options.map((text) => text.split('\n')[0]?.replace(/\s*\d$/, ''))).toEqual(NAMES)
  }
  await desktop.evaluate(hide)
  await desktop.waitForFunction(() => document.title.startsWith('(1) '))
  await expect
    .poll(() => desktop.locator('link[rel=icon]').getAttribute('href'))
    .toBe('/icon-attention.svg')

  await phone.getByRole('log').evaluate((log) => {
    log.dispatchEvent(new Event('touchstart'))
    log.scrollTop = 0
  })
  const [, phoneDock] = docks
  for (const option of await phoneDock!.getByTestId('decision-option').all()) {
    const box = await option.boundingBox()
    expect(box!.height).toBeGreaterThanOrEqual(44)
    expect(box!.y + box!.height).toBeLessThanOrEqual(PHONE.viewport.height)
  }
  await phone.reload()
  await phoneDock!.waitFor()
  expect(await violationsIn(desktop, phone)).toEqual([])
  const toasts = await recordTexts(desktop, '.toasts')
  await phoneDock!.getByRole('button', { name: 'No thanks' }).tap()

  await docks[0]!.waitFor({ state: 'detached' })
  await expect
    .poll(toasts, LONG)
    .toContainEqual(expect.stringContaining('answered by Chrome on Android'))
  await desktop.getByRole('log').getByText('“No thanks”, answered by Chrome on Android').waitFor()
  await said(phone, 'selected reject_once').waitFor()
  await phone.getByText('You chose “No thanks”').waitFor()
  await expect.poll(() => outcomes()).toEqual([{ outcome: 'selected', optionId: 'reject_once' }])
  const asked = (await story.events(id)).find(({ type }) => type === 'permission.requested')
  const { permissionId } = asked!.data as { permissionId: string }
  const path = `/api/sessions/${id}/permissions/${permissionId}`
  expect((await story.fetch('POST', path, { optionId: 'allow_once' })).status).toBe(409)
  await expect.poll(() => outcomes()).toHaveLength(1)
  await desktop.getByTestId('composer-input').fill('')
  await expect.poll(() => violationsIn(desktop, phone), LONG).toEqual([])
  expect([...faults, ...phoneFaults]).toEqual([])

  /** The outcome that the agent received, from the wire. */
  async function outcomes(): Promise<unknown[]> {
    const wire = `/api/sessions/${id}/wire?limit=200`
    const { frames } = await story.call<{ frames: WireFrame[] }>('GET', wire)
    return frames.flatMap(({ direction, frame }) => {
      const { result } = Object(frame) as { result?: { outcome?: unknown } }
      return direction === 'out' && result?.outcome !== undefined ? [result.outcome] : []
    })
  }
}, 300_000)

/** Runs in the page: hides it like another tab in front of it. */
function hide(): void {
  Object.defineProperty(document, 'hidden', { get: () => true })
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  document.dispatchEvent(new Event('visibilitychange'))
}
