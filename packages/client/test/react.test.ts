// The React hooks render only changed items.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../web/test/test-browser.js'
import { bundle } from './bundle.js'

let code: string

beforeAll(async () => {
  code = await bundle('react-page.ts')
})

test('a thousand deltas to one row draw that row once a frame, and nothing else', async () => {
  const page = await openChat()

  const { draws, frames, text } = await page.evaluate(() =>
    (globalThis as unknown as { stream(): Promise<Drawn> }).stream(),
  )

  const { list, head, ...rows } = draws
  const [streamed, ...others] = Object.entries(rows)
    .filter(([, count]) => count > 0)
    .map(([, count]) => count)
  expect({ list, head, others }).toEqual({ list: 0, head: 0, others: [] })
  expect(Object.keys(rows).length).toBeGreaterThan(100)
  expect(streamed).toBeGreaterThan(1)
  // One render for each frame with a change, and one for the rest after the last frame.
  expect(streamed).toBeLessThanOrEqual(frames + 2)
  expect(text).toBe(Array.from({ length: 1_001 }, (_, delta) => `${delta} `).join(''))
})

test('a permission appears, and its answer takes it away', async () => {
  const page = await openChat()
  await page.evaluate(() => {
    const { session } = globalThis as unknown as { session: { append(body: unknown): void } }
    const options = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }]
    const data = { permissionId: 'p1', toolCall: { toolCallId: 'c1' }, options }
    session.append({ type: 'permission.requested', data })
  })
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await page.getByRole('heading', { name: 'ready waiting open' }).waitFor()

  await page.evaluate(() => {
    const { session } = globalThis as unknown as { session: { append(body: unknown): void } }
    const outcome = { outcome: 'selected', optionId: 'yes' }
    const data = { permissionId: 'p1', outcome, reason: 'answered' }
    session.append({ type: 'permission.resolved', data })
  })

  await page.getByRole('button', { name: 'Allow' }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'ready working open' }).waitFor()
})

type Drawn = { draws: Record<string, number>; frames: number; text: string }

async function openChat(): Promise<Page> {
  const { page } = await openPage('null', {})
  page.on('pageerror', (error) => {
    throw error
  })
  await page.setContent('<!doctype html><title>React</title>')
  await page.addScriptTag({ content: code, type: 'module' })
  await page.getByRole('heading', { name: 'ready working open' }).waitFor()
  return page
}
