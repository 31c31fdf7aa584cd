// A hub with the load agent in a separate process, and its clients: commands over HTTP, events over WebSockets.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'

const HUB = fileURLToPath(new URL('lists-hub.mjs', import.meta.url))
const BARE = fileURLToPath(new URL('relay-bare.mjs', import.meta.url))
const AGENT = fileURLToPath(new URL('load-agent.mjs', import.meta.url))
const TOKEN = 'a-token-for-benchmarks-only'
const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
const EXTENSION = 'load'

export class RelayHub {
  #child
  #lines
  #folder
  #address
  #repoId

  static async start() {
    const hub = new RelayHub()
    await hub.#open()
    return hub
  }

  async #open() {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-bench-relay-')))
    const extensions = join(this.#folder, 'extensions')
    writeExtension(extensions)
    writeFile(join(this.#folder, 'workspace/shop/.git/HEAD'), 'ref: refs/heads/main\n')
    this.#child = spawn(process.execPath, [HUB, this.#folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        QUAYSIDE_DATA_DIR: join(this.#folder, 'data'),
        QUAYSIDE_EXTENSIONS: extensions,
        QUAYSIDE_TOKEN: TOKEN,
        QUAYSIDE_LOG_LEVEL: 'silent',
      },
    })
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    this.#address = (await this.#nextLine()).address
    const { repos } = await this.#ask('POST', '/api/repos/scan')
    this.#repoId = repos[0].id
  }

  get address() {
    return this.#address
  }

  /** The sign-in address for a browser. */
  async loginCode() {
    return (await this.#ask('POST', '/api/login-codes')).code
  }

  /** All events of a session. */
  async events(sessionId) {
    const all = []
    for (;;) {
      const path = `/api/sessions/${sessionId}/events?after=${all.length}`
      const { events } = await this.#ask('GET', path)
      if (events.length === 0) return all
      all.push(...events)
    }
  }

  get database() {
    return join(this.#folder, 'data/quayside.db')
  }

  /** CPU time and memory of the hub's process. */
  usage() {
    this.#child.stdin.write('?')
    return this.#nextLine()
  }

  async createSession() {
    const wish = { repoId: this.#repoId, extensionId: EXTENSION }
    return (await this.#ask('POST', '/api/sessions', wish)).id
  }

  prompt(sessionId, text) {
    return this.#ask('POST', `/api/sessions/${sessionId}/prompt`, { text })
  }

  async lastSeq(sessionId) {
    return (await this.#ask('GET', `/api/sessions/${sessionId}/events?after=0&limit=1`)).lastSeq
  }

  /** A client that receives every event after `after`. */
  async follow(sessionId, after = 0) {
    const socket = new WebSocket(`${this.#address.replace('http', 'ws')}/ws`, { headers: HEADERS })
    const follower = new Follower(socket, after)
    await opened(socket)
    const params = { sessionId, after }
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/follow', params }))
    return follower
  }

  endSession(sessionId) {
    return this.#ask('DELETE', `/api/sessions/${sessionId}`)
  }

  async stop() {
    await ended(this.#child)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #nextLine() {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error('the hub ended')
    return JSON.parse(value)
  }

  async #ask(method, path, body) {
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }
    const response = await fetch(`${this.#address}${path}`, { method, headers: HEADERS, ...sent })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.json()
  }
}

/** The same interface for the bare relay. */
export class BareRelay {
  #child
  #port
  #newest

  static async start() {
    const relay = new BareRelay()
    relay.#child = spawn(process.execPath, [BARE], { stdio: ['pipe', 'pipe', 'inherit'] })
    relay.#port = await firstLine(relay.#child.stdout)
    return relay
  }

  async follow() {
    const socket = new WebSocket(`ws://127.0.0.1:${this.#port}`, { perMessageDeflate: false })
    const follower = new Follower(socket)
    await opened(socket)
    this.#newest = socket
    return follower
  }

  /** The newest follower sends the prompt. */
  prompt(text) {
    this.#newest.send(text)
  }

  stop() {
    return ended(this.#child)
  }
}

/** Counts events, and throws on a gap. */
export class Follower {
  onText = () => {}
  /** Whole frames, for checks after the measurement. */
  kept
  #socket
  #lastSeq
  #waiting

  constructor(socket, after) {
    this.#socket = socket
    this.#lastSeq = after
    socket.on('message', (data) => this.#receive(data))
  }

  /** Resolves when this client has received the end of the running turn. */
  turnEnded() {
    return this.#until((data) => data.includes('"turn.ended"') || data.includes('"stopReason"'))
  }

  firstFrame() {
    return this.#until(() => true)
  }

  reaches(seq) {
    return this.#until(() => this.#lastSeq >= seq)
  }

  pause() {
    this.#socket.pause()
  }

  close() {
    this.#socket.terminate()
  }

  #until(matches) {
    return new Promise((resolve) => {
      this.#waiting = { matches, resolve }
    })
  }

  #receive(data) {
    this.kept?.push(data)
    this.onText(data)
    if (this.#lastSeq !== undefined && !this.#count(data)) return
    if (!this.#waiting?.matches(data)) return
    const { resolve } = this.#waiting
    this.#waiting = undefined
    resolve()
  }

  /** False for messages other than a page of events. */
  #count(data) {
    if (!data.subarray(0, 50).includes('session/events')) return false
    const first = seqAt(data, data.indexOf('"seq":'))
    if (first !== this.#lastSeq + 1) throw new Error(`event ${this.#lastSeq + 1} is missing`)
    this.#lastSeq = seqAt(data, data.lastIndexOf('"seq":'))
    return true
  }
}

function seqAt(data, at) {
  return Number.parseInt(data.toString('latin1', at + 6, at + 20), 10)
}

function writeExtension(folder) {
  const common = { id: EXTENSION, name: 'Load agent', type: 'acp' }
  const registry = { extensions: [{ ...common, path: EXTENSION, enabled: true }] }
  const manifest = { ...common, agent: { command: '${NODE}', args: [AGENT] } }
  writeFile(join(folder, 'extensions.json'), JSON.stringify(registry))
  writeFile(join(folder, EXTENSION, 'manifest.json'), JSON.stringify(manifest))
}

function writeFile(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function opened(socket) {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
}

async function ended(child) {
  const exit = new Promise((resolve) => {
    child.once('exit', resolve)
  })
  child.stdin.end()
  await exit
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line
  throw new Error('it ended before it was ready')
}
