// `node scripts/under-load.mjs npm test`: runs a command beside four busy processes (or QUAYSIDE_LOAD of them), which end with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const BUSY = Number(process.env.QUAYSIDE_LOAD ?? 4)
/** Each exits with this process, which closes its stdin. */
const LOOP = `
process.stdin.on('end', () => process.exit()).resume()
const work = () => { const until = Date.now() + 50; while (Date.now() < until); setImmediate(work) }
work()`

const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  process.stderr.write('Usage: node scripts/under-load.mjs COMMAND [ARGUMENTS]\n')
  process.exit(2)
}
const load = Array.from({ length: BUSY }, () =>
  spawn(process.execPath, ['-e', LOOP], { stdio: ['pipe', 'inherit', 'inherit'] }),
)
const pids = load.map(({ pid }) => pid).join(', ')
process.stderr.write(`${BUSY} busy processes: ${pids}\n`)
const child = spawn(command, args, { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
const [code] = await once(child, 'exit')
for (const busy of load) busy.kill('SIGKILL')
process.exitCode = code ?? 1
