// A browser that is signed out: the page names the command that this computer has, and leads to the sign-in.
import { expect, test } from 'vitest'
import { ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()

test('a message that is not sent for want of a sign-in leads to the sign-in page, which names the command of a clone', async () => {
  const { page, hub } = await stage.open()
  const command = 'npm run -s quayside --'
  await page.route('**/api/health', (route) =>
    route.fulfill({ json: { status: 'ok', version: 'scripted', command } }),
  )
  hub.isSignedIn = false
  await page.getByTestId('composer-input').fill('Keep this')
  await page.getByTestId('send').click()
  const alert = page.getByRole('alert').filter({ hasText: 'Not sent. You are signed out.' })
  await alert.getByRole('link', { name: 'Sign in' }).click()
  await page.getByText(`${command} pair`).waitFor()
  await page.getByText(`${command} start`).waitFor()

  hub.isSignedIn = true
  await page.reload()
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('Keep this')
})
