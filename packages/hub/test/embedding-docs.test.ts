// The programs of docs/embedding.md run, end by themselves and print what the page shows.
import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeRepository, TOKEN } from './test-hub.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8')
const EXAMPLES = [...PAGE.matchAll(/^```js\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/gm)].map(
  ([, code = '', output = ''], place) => ({ name: `program ${place + 1}`, code, output }),
)
const run = promisify(execFile)

test('the page has examples, and each shows what it prints', () => {
  expect(EXAMPLES).toHaveLength(3)
  expect(PAGE.match(/^```[jt]s/gm)).toHaveLength(EXAMPLES.length)
})

test.each(EXAMPLES)('$name prints the output on the page', async ({ code, output }) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-embedding-docs-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  makeRepository(join(folder, 'src', 'shop-api'))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['quayside', '@quayside', 'ws'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  // The example's port may be in use here.
  writeFileSync(join(folder, 'program.mjs'), code.replace('.listen(8080)', '.listen(0)'))

  const { stdout, stderr } = await run(process.execPath, ['program.mjs'], {
    cwd: folder,
    env: { ...process.env, MY_HUB_TOKEN: TOKEN },
    timeout: 50_000,
  })

  expect(stderr).toBe('')
  expect(stdout).toMatch(patternOf(output))
})

/** `…` matches anything within a line. */
function patternOf(output: string): RegExp {
  const parts = output
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.+')}$`)
}
