// Runs every program of docs/sdk.md in its own thread and compares its output with the page.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, TOKEN, type TestHub } from '../../hub/test/test-hub.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs/sdk.md'), 'utf8')

let hub: TestHub
let folder: string

beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true })
  folder = mkdtempSync(join(tmpdir(), 'quayside-docs-'))
  mkdirSync(join(folder, 'node_modules/@quayside'), { recursive: true })
  for (const name of ['client', 'protocol'])
    symlinkSync(join(ROOT, 'packages', name), join(folder, 'node_modules/@quayside', name))
  symlinkSync(join(ROOT, 'node_modules/ws'), join(folder, 'node_modules/ws'))
})

afterAll(async () => {
  await hub?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

test.each(examples())(
  '%s: the program prints what the page says',
  async (heading, code, output) => {
    const file = join(folder, `${heading.replaceAll(/\W+/g, '-')}.mjs`)
    const pixel = JSON.stringify(join(folder, 'pixel.png'))
    const program = code.replaceAll('http://127.0.0.1:4444', hub.hub.address)
    // A thread shares the folder of its process, which is this repository.
    writeFileSync(file, program.replaceAll("'pixel.png'", pixel))

    const worker = new Worker(file, {
      env: { ...process.env, QUAYSIDE_TOKEN: TOKEN },
      stdout: true,
      stderr: true,
    })
    const failed = new Promise<never>((_, reject) => worker.once('error', reject))
    const ended = Promise.all([text(worker.stdout), text(worker.stderr)])
    const [printed, errors] = await Promise.race([ended, failed])

    expect(errors).toBe('')
    expect(printed.trim()).toBe(output.trim())
  },
)

test('the page has its examples', () => {
  expect(examples().length).toBeGreaterThan(6)
  expect(PAGE.match(/^```js$/gm)).toHaveLength(examples().length)
})

/** Each program with its heading and its output. */
function examples(): [heading: string, code: string, output: string][] {
  return PAGE.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'))
    const found = section.matchAll(/```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)
    return [...found].map(([, code, output]): [string, string, string] => [heading, code!, output!])
  })
}
