// Dictation in the composer, with a speech recognition that the test drives.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()

test('spoken phrases are appended to the message, and a refused microphone is explained', async () => {
  const { page, faults } = await stage.open()
  await page.addInitScript(() => {
    class SpeechRecognition extends EventTarget {
      start() {
        Object.assign(globalThis, { recognition: this })
      }
      stop() {
        this.dispatchEvent(new Event('end'))
      }
      abort() {}
    }
    Object.assign(globalThis, { SpeechRecognition })
  })
  await page.reload()
  const field = page.getByTestId('composer-input')
  await field.fill('Please')
  await page.getByRole('button', { name: 'Dictate' }).click()
  await report(page, 'result', { resultIndex: 0, results: [spoken('run the tests', true)] })
  await report(page, 'result', {
    resultIndex: 1,
    results: [spoken('run the tests', true), spoken('and', false)],
  })
  await expect.poll(() => field.inputValue()).toBe('Please run the tests')
  await page.getByRole('button', { name: 'Stop dictation' }).click()
  await page.getByRole('button', { name: 'Dictate' }).click()
  await report(page, 'error', { error: 'not-allowed' })
  await page.getByText('Dictation needs the microphone.').waitFor()
  expect(faults).toEqual([])
})

function spoken(transcript: string, isFinal: boolean): object {
  return { isFinal, 0: { transcript } }
}

function report(page: Page, type: string, fields: object): Promise<void> {
  return page.evaluate(
    ([type, fields]) => {
      const { recognition } = globalThis as unknown as { recognition: EventTarget }
      recognition.dispatchEvent(Object.assign(new Event(type), fields))
    },
    [type, fields] as const,
  )
}
