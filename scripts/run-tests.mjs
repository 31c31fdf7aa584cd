// Runs Vitest with its own temporary and home folder, prints the processor time, and fails when the run leaves a file or a process behind.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { clear, closeRunFolder, homeIn, openRunFolder } from './run-folder.mjs'
import { bin, fail, ROOT } from './setup.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const LOOK_FOR_PARENT_MS = 1_000

/** Ends this process with 1 when a test failed or the run left something behind. */
export async function runTests(args, env = {}) {
  const folder = openRunFolder()
  for (const signal of SIGNALS) process.once(signal, () => interrupt(folder, signal))
  // An npm that is ended by a signal does not pass it on.
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) interrupt(folder, 'SIGTERM')
  }, LOOK_FOR_PARENT_MS)
  const vitest = spawn(process.execPath, [bin('vitest', 'vitest.mjs'), 'run', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: folder, HOME: homeIn(folder), ...env },
  })
  const [code] = await once(vitest, 'exit')
  clearInterval(watch)
  const left = await closeRunFolder(folder)
  printProcessorTime()
  if (code !== 0) fail('tests failed; see above.')
  if (left.length > 0) fail(`the tests left something behind:\n  ${left.join('\n  ')}`)
}

function interrupt(folder, signal) {
  for (const name of SIGNALS) process.removeAllListeners(name)
  clear(folder)
  process.kill(process.pid, signal)
}

/** The processor time of this command and all its children. Available on Linux only. */
function printProcessorTime() {
  if (process.platform !== 'linux') return
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
  const [user, system] = [11, 12].map((at) => (Number(fields[at]) + Number(fields[at + 2])) / 100)
  const total = Math.round(user + system)
  console.log(`Processor time ${total} s (user ${Math.round(user)}, system ${Math.round(system)})`)
}
