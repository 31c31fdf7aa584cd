// A hub in a separate process with sign-in and full durability, and its clients: commands over HTTP, events over WebSockets.
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'node:http'
import { BareSocket } from './bare-socket.mjs'
import { Child } from './child.mjs'
import { Follower } from './follower.mjs'
import { TOKEN, Workspace } from './workspace.mjs'

const HUB = fileURLToPath(new URL('hub-process.mjs', import.meta.url))
const ACCESS = { authorization: `Bearer ${TOKEN}` }

export class BenchHub {
  /** The process; its `ready` has the time from the start to listening. */
  child
  #workspace
  #ownsWorkspace
  #agent = new Agent({ keepAlive: true, noDelay: true })
  #repoId

  /** Removes the workspace at its end, unless it was given. */
  static async start({ workspace, files, env, nodeArgs = [] } = {}) {
    const hub = new BenchHub()
    hub.#workspace = workspace ?? new Workspace(files)
    hub.#ownsWorkspace = workspace === undefined
    const args = [...nodeArgs, HUB, hub.#workspace.folder]
    hub.child = await Child.start(args, { ...hub.#workspace.env, ...env })
    return hub
  }

  get address() {
    return this.child.ready.address
  }

  get database() {
    return this.#workspace.database
  }

  /** CPU time and memory of the hub's process. */
  usage() {
    return this.child.usage()
  }

  /** The sign-in address for a browser. */
  async loginCode() {
    return (await this.ask('POST', '/api/login-codes')).code
  }

  /** All events of a session. */
  async events(sessionId) {
    const all = []
    for (;;) {
      const path = `/api/sessions/${sessionId}/events?after=${all.length}`
      const { events } = await this.ask('GET', path)
      if (events.length === 0) return all
      all.push(...events)
    }
  }

  async createSession(extensionId = 'load') {
    this.#repoId ??= (await this.ask('GET', '/api/repos')).repos[0].id
    return (await this.ask('POST', '/api/sessions', { repoId: this.#repoId, extensionId })).id
  }

  prompt(sessionId, text) {
    return this.ask('POST', `/api/sessions/${sessionId}/prompt`, { text })
  }

  async lastSeq(sessionId) {
    return (await this.ask('GET', `/api/sessions/${sessionId}/events?after=0&limit=1`)).lastSeq
  }

  /** A client that receives every event after `after`. */
  async follow(sessionId, after = 0) {
    const address = `${this.address.replace('http', 'ws')}/ws`
    const follower = new Follower(await BareSocket.open(address, ACCESS), after)
    const params = { sessionId, after }
    follower.send({ jsonrpc: '2.0', id: 1, method: 'session/follow', params })
    return follower
  }

  /** A client at the end of the session. */
  async followEnd(sessionId) {
    return this.follow(sessionId, await this.lastSeq(sessionId))
  }

  endSession(sessionId) {
    return this.ask('DELETE', `/api/sessions/${sessionId}`)
  }

  async ask(method, path, body) {
    return JSON.parse(await this.askText(method, path, body))
  }

  /** By `node:http`: `fetch` costs the client several times as much. */
  askText(method, path, body = {}) {
    const text = method === 'GET' ? '' : JSON.stringify(body)
    const headers = {
      ...ACCESS,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    return new Promise((resolve, reject) => {
      const sent = request(
        `${this.address}${path}`,
        { method, headers, agent: this.#agent },
        (response) => {
          const chunks = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const answer = Buffer.concat(chunks)
            if (response.statusCode < 300) resolve(answer)
            else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer.toString()}`))
          })
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  }

  /** As after a crash: nothing is closed or removed. */
  async kill() {
    this.#agent.destroy()
    await this.child.kill()
  }

  async stop() {
    this.#agent.destroy()
    await this.child.stop()
    if (this.#ownsWorkspace) this.#workspace.remove()
  }
}
