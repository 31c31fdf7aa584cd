// An agent alone on a pipe: started, initialized and asked by hand. The floor for everything that a hub adds.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** `knownId`: a session of the agent that is resumed instead of a new one. */
export async function startAgent(
  [command, ...args],
  { cwd = process.cwd(), env = process.env, knownId } = {},
) {
  const start = performance.now()
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const agent = new BareAgent(child)
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
  const workplace = { cwd, mcpServers: [] }
  if (knownId === undefined)
    agent.sessionId = (await agent.request('session/new', workplace)).sessionId
  else {
    await agent.request('session/resume', { ...workplace, sessionId: knownId })
    agent.sessionId = knownId
  }
  agent.readyMs = performance.now() - start
  return agent
}

class BareAgent {
  sessionId
  /** The milliseconds until its session was ready. */
  readyMs
  #child
  #waiting = new Map()
  #onUpdate = () => {}
  #nextId = 1

  constructor(child) {
    this.#child = child
    createInterface({ input: child.stdout }).on('line', (line) => this.#receive(line))
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the agent ended'))
    })
  }

  request(method, params) {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  }

  /** The milliseconds from a prompt to the first update with text; resolves at the end of the turn. */
  async firstWordsMs(text) {
    const start = performance.now()
    let ms
    this.#onUpdate = (line) => {
      if (line.includes('agent_message_chunk')) ms ??= performance.now() - start
    }
    await this.request('session/prompt', {
      sessionId: this.sessionId,
      prompt: [{ type: 'text', text }],
    })
    return ms
  }

  async stop() {
    const exit = new Promise((resolve) => {
      this.#child.once('exit', resolve)
    })
    this.#child.kill('SIGKILL')
    await exit
  }

  #receive(line) {
    if (!line.startsWith('{')) return
    const { id, method, result, error } = JSON.parse(line)
    if (method !== undefined) return this.#onUpdate(line)
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(new Error(error.message))
  }
}
