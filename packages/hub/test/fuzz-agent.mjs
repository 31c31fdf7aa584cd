// An ACP agent that writes fuzz around proper answers: `node fuzz-agent.mjs <file>`, where the file holds a JSON array
// of acts, each an array of writes in base64. One act precedes the answer to each request.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const acts = JSON.parse(readFileSync(process.argv[2], 'utf8'))

const answers = {
  initialize: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] },
  'session/new': { sessionId: 'fuzz-1' },
  'session/prompt': { stopReason: 'end_turn' },
}

function write(data) {
  return new Promise((resolve) => {
    process.stdout.write(data, resolve)
  })
}

async function perform(act) {
  for (const bytes of act) {
    await write(Buffer.from(bytes, 'base64'))
    // Lets the hub's messages in, and makes each write a separate chunk.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  await write('\n')
}

async function answer({ id, method, params }) {
  const act = acts.shift()
  if (act) await perform(act)
  if (method === 'session/prompt') await say(params.prompt[0].text)
  const result = answers[method]
  const outcome = result ? { result } : { error: { code: -32_601, message: 'unknown' } }
  await write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`)
}

function say(text) {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
  const params = { sessionId: 'fuzz-1', update }
  return write(`${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`)
}

let previous = Promise.resolve()
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  const isRequest = typeof message.method === 'string' && message.id !== undefined
  if (isRequest) previous = previous.then(() => answer(message))
})
process.stdout.on('error', () => process.exit(0))
