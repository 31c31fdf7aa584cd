// An ACP agent that generates load. The prompt `text 200000` or `mixed 200000` is answered with that many updates,
// as fast as the reader accepts them; `drip 100` with one every ten milliseconds, `drip 100 4` with four. No dependencies, no model.
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { blocksOf, timedLine } from './load-lines.mjs'

const SESSION_ID = 'load-1'
const DRIP_MS = 10

const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'load-agent', version: '1.0.0' },
    agentCapabilities: {},
    authMethods: [],
  }),
  'session/new': () => ({ sessionId: SESSION_ID }),
  async 'session/prompt'({ prompt }) {
    const [kind, count, atOnce = '1'] = prompt[0].text.split(' ')
    if (kind === 'drip') await drip(Number(count), Number(atOnce))
    else for (const block of blocksOf(kind, SESSION_ID, Number(count))) await write(block)
    return { stopReason: 'end_turn' }
  },
}

async function drip(count, atOnce) {
  for (let sent = 0; sent < count; sent += atOnce) {
    await setTimeout(DRIP_MS)
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
