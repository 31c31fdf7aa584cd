// The check at the end of a test run finds leftovers, and an interrupted or killed run leaves none.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { closeRunFolder, homeIn, openRunFolder } from '../scripts/run-folder.mjs'

const RUN_FOLDER = fileURLToPath(new URL('../scripts/run-folder.mjs', import.meta.url))
const isLinux = process.platform === 'linux'

test('a folder and a process that stay behind are named, and gone afterwards', async () => {
  const folder = openRunFolder()
  mkdirSync(join(folder, 'forgotten'))
  const child = await startIdle({ TMPDIR: folder })
  const left = await closeRunFolder(folder, 0)
  expect(left).toContain(`folder ${join(folder, 'forgotten')}`)
  if (isLinux) expect(left).toContainEqual(expect.stringContaining(`process ${child.pid}: `))
  expect(existsSync(folder)).toBe(false)
  if (!isLinux) child.kill('SIGKILL')
  await ended(child)
})

test('a run that leaves nothing behind is told so; files in its own home do not count', async () => {
  const folder = openRunFolder()
  writeFileSync(join(homeIn(folder), '.bash_history'), '')
  expect(await closeRunFolder(folder)).toEqual([])
  expect(existsSync(folder)).toBe(false)
})

test('the next run clears up after one that was killed', async () => {
  const killed = await runThatOpens()
  const child = await startIdle({ TMPDIR: killed.folder })
  writeFileSync(join(killed.folder, 'left'), '')
  killed.process.kill('SIGKILL')
  await ended(killed.process)
  await closeRunFolder(openRunFolder())
  expect(existsSync(killed.folder)).toBe(false)
  if (!isLinux) child.kill('SIGKILL')
  await ended(child)
})

test('the folder of a run that still goes on is left alone', async () => {
  const other = await runThatOpens()
  await closeRunFolder(openRunFolder())
  expect(existsSync(other.folder)).toBe(true)
  other.process.kill('SIGKILL')
  await ended(other.process)
  await closeRunFolder(other.folder)
})

/** Another run beside this one, in the same parent folder. */
async function runThatOpens(): Promise<{ process: ChildProcess; folder: string }> {
  const program = `import { openRunFolder } from ${JSON.stringify(RUN_FOLDER)}
    console.log(openRunFolder()); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program])
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, folder: line.toString().trim() }
}

async function startIdle(env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const program = 'console.log("ready"); setInterval(() => {}, 1000)'
  const child = spawn(process.execPath, ['-e', program], { env, cwd: dirname(RUN_FOLDER) })
  await once(child.stdout, 'data')
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
