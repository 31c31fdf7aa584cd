// The report of a failed page test: a folder in test-results with a screenshot and the accessibility tree of each page,
// its console, its requests, the end of the hub's log, and a trace when QUAYSIDE_TEST_TRACE is set.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { onTestFinished, type TestContext, TestRunner } from 'vitest'
import { hubLogAt } from './hub-process.js'

const REPO = fileURLToPath(new URL('../../../', import.meta.url))
// A trace makes a page test a third slower, so it is optional.
const HAS_TRACE = process.env.QUAYSIDE_TEST_TRACE === '1'
const MAX_LINES = 500
const LOOK_MS = 10_000

/**
 * Closes a context when its test ends, after writing a report if the test failed. Outside a test the caller closes it.
 */
export async function reportOn(context: BrowserContext, origin: string): Promise<void> {
  if (TestRunner.getCurrentTest() === undefined) return
  const report = await recordFor(context, origin)
  onTestFinished(async ({ task }) => {
    await report(task)
    await context.close()
  })
}

/** Adds a report to the errors of a failed test; returns true if the test failed. */
export type Report = (task: TestContext['task']) => Promise<boolean>

/** Records the pages of a context for the reports of its tests. */
export async function recordFor(context: BrowserContext, origin: string): Promise<Report> {
  const lines = record(context)
  const hubLog = hubLogAt(origin)
  if (HAS_TRACE) await context.tracing.start({ screenshots: true, snapshots: true })
  return async (task) => {
    const [error] = task.result?.errors ?? []
    if (!error) return false
    const folder = await writeReport(task, context, { ...lines, hubLog: hubLog() })
    error.message += `\n\nReport of the page: ${relative(REPO, folder)}`
    if (hubLog().length > 0)
      error.message += `\nEnd of the hub's log:\n${hubLog().slice(-10).join('\n')}`
    return true
  }
}

type Lines = { readonly console: string[]; readonly requests: string[] }

function record(context: BrowserContext): Lines {
  const lines: Lines = { console: [], requests: [] }
  const add = (to: string[], line: string) => {
    if (to.push(`${new Date().toISOString()} ${line}`) > MAX_LINES) to.shift()
  }
  context.on('console', (message) => add(lines.console, `${message.type()}: ${message.text()}`))
  context.on('weberror', (error) => add(lines.console, `exception: ${error.error().message}`))
  context.on('response', (answer) =>
    add(lines.requests, `${answer.status()} ${answer.request().method()} ${answer.url()}`),
  )
  context.on('requestfailed', (request) =>
    add(lines.requests, `${request.failure()?.errorText} ${request.method()} ${request.url()}`),
  )
  return lines
}

async function writeReport(
  task: TestContext['task'],
  context: BrowserContext,
  lines: Lines & { readonly hubLog: readonly string[] },
): Promise<string> {
  const folder = await reportFolder(task)
  await writeFile(join(folder, 'console.txt'), lines.console.join('\n'))
  await writeFile(join(folder, 'requests.txt'), lines.requests.join('\n'))
  await writeFile(join(folder, 'hub.log'), lines.hubLog.join('\n'))
  for (const [index, page] of context.pages().entries())
    await look(page, join(folder, `page-${index + 1}`)).catch((error: unknown) =>
      writeFile(join(folder, `page-${index + 1}.txt`), String(error)),
    )
  if (HAS_TRACE) await context.tracing.stop({ path: join(folder, 'trace.zip') })
  return folder
}

const written = new WeakMap<object, number>()

/** One folder per context of a test. */
async function reportFolder(task: TestContext['task']): Promise<string> {
  const count = (written.get(task) ?? 0) + 1
  written.set(task, count)
  const file = task.file.name
    .split('/')
    .at(-1)
    ?.replace(/\.test\.ts$/, '')
  const name = task.name
    .match(/[\p{L}\p{N}]+/gu)
    ?.join('-')
    .slice(0, 80)
  const folder = join(REPO, 'test-results', `${file}-${name}${count > 1 ? `-${count}` : ''}`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  return folder
}

async function look(page: Page, path: string): Promise<void> {
  await page.screenshot({ path: `${path}.png`, timeout: LOOK_MS })
  const tree = await page.locator('body').ariaSnapshot({ timeout: LOOK_MS })
  await writeFile(`${path}.yml`, `# ${page.url()}\n${tree}\n`)
}
