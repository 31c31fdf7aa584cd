// An ACP agent that generates load. No dependencies, no model. The words of its prompts:
// `text 200000`, `mixed 200000`, `tools 200000`: that many updates, as fast as the reader accepts them;
// `drip 100 10 4`: 100 updates, four at a time every ten milliseconds; `chunk 1000000`: one update with that much text.
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { blocksOf, chunkLine, timedLine } from './load-lines.mjs'

const SESSION_ID = 'load-1'

const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'load-agent', version: '1.0.0' },
    agentCapabilities: { sessionCapabilities: { resume: {} } },
    authMethods: [],
  }),
  'session/new': () => ({ sessionId: SESSION_ID }),
  'session/resume': () => ({}),
  async 'session/prompt'({ prompt }) {
    const [kind, count, everyMs = '10', atOnce = '1'] = prompt[0].text.split(' ')
    if (kind === 'drip') await drip(Number(count), Number(everyMs), Number(atOnce))
    else if (kind === 'chunk') await write(chunkLine(SESSION_ID, Number(count)))
    else for (const block of blocksOf(kind, SESSION_ID, Number(count))) await write(block)
    return { stopReason: 'end_turn' }
  },
}

/** By a schedule: an update that was late does not delay the next ones. */
async function drip(count, everyMs, atOnce) {
  const start = performance.now()
  for (let sent = 0; sent < count; sent += atOnce) {
    const due = start + (sent / atOnce + 1) * everyMs
    if (due > performance.now()) await setTimeout(due - performance.now())
    for (let index = 0; index < atOnce; index += 1) await write(timedLine(SESSION_ID))
  }
}

/** Resolves when the pipe has accepted it: the reader sets the pace. */
function write(data) {
  return new Promise((resolve) => {
    process.stdout.write(data, resolve)
  })
}

async function receive(line) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const outcome = answer
    ? { result: await answer(params) }
    : { error: { code: -32_601, message: `There is no ${method}.` } }
  await write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`)
}

createInterface({ input: process.stdin }).on('line', (line) => void receive(line))
process.stdout.on('error', () => process.exit(0))
