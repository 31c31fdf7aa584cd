// The page offers only pictures and settings that the agent and the session accept, and gives the reason.
import { ClientError } from '@quayside/client'
import { ScriptedHub } from '@quayside/client/testing'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goTo } from './reused-pages.js'
import { Stage, useScriptedHub } from './scripted-page.js'
import { SCREENS } from './test-browser.js'

const TEXTS_ONLY = { promptCapabilities: { image: false, embeddedContext: true } }
const REASON = 'Demo agent can’t read images.'

const stage = new Stage()

function hubWithAgent(capabilities: Readonly<Record<string, unknown>> | undefined): ScriptedHub {
  const hub = new ScriptedHub()
  hub.extensions[0] = { ...hub.extensions[0]!, ...(capabilities && { capabilities }) }
  return hub
}

/** The item for images in the menu of the composer. */
async function imageItem(page: Page) {
  await page.getByRole('button', { name: 'Attach' }).click()
  return page.getByRole('menuitem').first()
}

/** Runs in the page. */
function give(field: Element, how: string): void {
  const data = new DataTransfer()
  data.items.add(new File(['x'], 'a.png', { type: 'image/png' }))
  const init = { bubbles: true, cancelable: true }
  field.dispatchEvent(
    how === 'paste'
      ? new ClipboardEvent('paste', { ...init, clipboardData: data })
      : new DragEvent('drop', { ...init, dataTransfer: data }),
  )
}

test.each(Object.entries(SCREENS))(
  'an agent that accepts no images gets none (%s), also while it sleeps',
  async (_name, screen) => {
    const { page, faults } = await stage.open(screen)
    const hub = await useScriptedHub(page.context(), hubWithAgent(undefined))
    const session = hub.addSession()
    await page.goto(`${stage.origin}/s/${session.id}`)
    await page.getByText('Demo agent is ready. What').waitFor()
    expect(await (await imageItem(page)).isEnabled()).toBe(true)
    await page.keyboard.press('Escape')

    const data = { acpSessionId: 'a', how: 'new', capabilities: TEXTS_ONLY } as const
    session.append({ type: 'agent.started', data })
    session.append({ type: 'agent.exited', data: { reason: 'stopped' } })
    session.end('completed')
    await page.locator('.banner').waitFor()
    const item = await imageItem(page)
    await expect.poll(() => item.isDisabled()).toBe(true)
    await expect.poll(() => item.innerText()).toBe(REASON)
    await page.keyboard.press('Escape')
    for (const how of ['paste', 'drop']) {
      await page.getByTestId('composer-input').evaluate(give, how)
      await page.getByRole('alert').getByText(REASON).waitFor()
    }
    await expect.poll(() => page.locator('.attachment').count()).toBe(0)
    expect(faults).toEqual([])
  },
)

test('a new session: the button is grey when the agent is known, else the hub refuses and no session stays', async () => {
  const { page } = await stage.open(SCREENS.desktop)
  const hub = await useScriptedHub(page.context(), hubWithAgent(undefined))
  await page.route(/\/api\/media$/, (route) =>
    route.fulfill({ status: 201, json: { url: '/media/1' } }),
  )
  hub.routes.set('POST /api/sessions/session-1/prompt', () => {
    throw new ClientError('content_not_supported', 'Demo agent accepts no images.')
  })
  await page.goto(stage.origin)
  await page.getByTestId('composer-input').evaluate(give, 'paste')
  await page.locator('.attachment').waitFor()
  await page.getByTestId('composer-input').fill('Look at this')
  await page.getByTestId('send').click()
  await page.getByRole('alert').getByText('Demo agent accepts no images.').waitFor()
  await expect.poll(() => hub.sessions.size).toBe(0)
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('Look at this')

  // Its start has reported the capabilities. The picture waits in the draft.
  hub.extensions[0] = { ...hub.extensions[0]!, capabilities: TEXTS_ONLY }
  await page.reload()
  await page.getByRole('alert').getByText(`${REASON} Remove the attached ones`).waitFor()
  await expect.poll(() => page.getByTestId('send').isDisabled()).toBe(true)
  expect(await (await imageItem(page)).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Remove a.png/ }).click()
  await expect.poll(() => page.getByTestId('send').isDisabled()).toBe(false)
})

test('secrets are not fields of a session, and the dialog leads to where they are set', async () => {
  const { page, faults } = await stage.open(SCREENS.desktop)
  const hub = await useScriptedHub(page.context())
  hub.addSession({ title: 'Sea songs' })
  const fields = [
    { id: 'model', type: 'text', label: 'Model' },
    { id: 'proxyKey', type: 'secret', label: 'Proxy key' },
  ]
  hub.routes.set('GET /api/extensions/demo/settings_schema', () => ({
    body: { version: '1', fields },
  }))
  const dialog = page.getByRole('dialog')
  const opens = {
    'new session': () => page.getByRole('button', { name: 'Settings for this session' }).click(),
    session: async () => {
      await page.getByRole('button', { name: 'Actions for Sea songs' }).click()
      await page.getByRole('menuitem', { name: 'Settings…' }).click()
    },
  }
  await page.goto(stage.origin)
  for (const open of Object.values(opens)) {
    await goTo(page, '/')
    await open()
    await dialog.getByLabel('Model').waitFor()
    await expect.poll(() => dialog.getByLabel('Proxy key').count()).toBe(0)
    await dialog.getByText('Proxy key: set for all sessions').waitFor()
    await dialog.getByRole('link', { name: 'Settings › Agents' }).click()
    await page.waitForURL(`${stage.origin}/settings/agents`)
    await dialog.waitFor({ state: 'detached' })
  }
  expect(faults).toEqual([])
})
