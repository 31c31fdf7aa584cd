import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, TOKEN, type TestHub } from '../../hub/test/test-hub.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs/sdk.md'), 'utf8')
const run = promisify(execFile)

let hub: TestHub
let folder: string

beforeAll(async () => {
  hub = await startTestHub()
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
    writeFileSync(file, code.replaceAll('http://127.0.0.1:4444', hub.hub.address))

    const { stdout, stderr } = await run(process.execPath, [file], {
      cwd: folder,
      env: { ...process.env, QUAYSIDE_TOKEN: TOKEN },
      timeout: 50_000,
    })

    expect(stderr).toBe('')
    expect(stdout.trim()).toBe(output.trim())
  },
)

test('the page has its examples', () => {
  expect(examples().length).toBeGreaterThan(6)
  expect(PAGE.match(/^```js$/gm)).toHaveLength(examples().length)
})

/** Each program with its heading and what it prints. */
function examples(): [heading: string, code: string, output: string][] {
  return PAGE.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'))
    const found = section.matchAll(/```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)
    return [...found].map(([, code, output]): [string, string, string] => [heading, code!, output!])
  })
}
