// The client of a program that relays an agent: ACP over a WebSocket, or over POST requests and server-sent events.
import { request } from 'node:http'
import { BareSocket } from '../hubs/bare-socket.mjs'

/** The text that ends the wait for an answer: some programs change the ids of requests. */
const ANSWERS = {
  initialize: '"agentInfo"',
  'session/new': '"load-1"',
  'session/prompt': '"stopReason"',
}

/** `send` passes a message on; frames come back through `receive`. */
export class PeerClient {
  kept
  onText = () => {}
  #send
  #close
  #waiting
  #nextId = 1

  static async overSocket(url) {
    const client = new PeerClient()
    const socket = await BareSocket.open(url)
    client.#send = (message) => socket.send(message)
    client.#close = () => socket.close()
    socket.onMessage = (data) => client.#receive(data)
    return client
  }

  /** The stream of events can be opened after the first request only. */
  static async overEvents(url, agent) {
    const client = new PeerClient()
    client.#send = (message) => void post(url, message)
    const first = client.#message('initialize', { protocolVersion: 1, clientCapabilities: {} })
    await post(`${url}?agent=${agent}`, first)
    const events = await listen(url)
    events.on('data', (data) => client.#receive(data))
    client.#close = () => events.destroy()
    return client
  }

  async open() {
    await this.#ask('initialize', { protocolVersion: 1, clientCapabilities: {} })
    await this.#ask('session/new', { cwd: process.cwd(), mcpServers: [] })
  }

  prompt(text) {
    return this.#ask('session/prompt', { sessionId: 'load-1', prompt: [{ type: 'text', text }] })
  }

  close() {
    this.#close()
  }

  #ask(method, params) {
    return new Promise((resolve) => {
      this.#waiting = { answer: ANSWERS[method], resolve, rest: '' }
      this.#send(this.#message(method, params))
    })
  }

  #message(method, params) {
    return JSON.stringify({ jsonrpc: '2.0', id: this.#nextId++, method, params })
  }

  #receive(data) {
    this.kept?.push(Buffer.from(data))
    this.onText(data)
    const waiting = this.#waiting
    if (waiting === undefined) return
    // A stream of events may be cut anywhere.
    const isThere =
      data.includes(waiting.answer) ||
      `${waiting.rest}${data.toString('utf8', 0, 100)}`.includes(waiting.answer)
    waiting.rest = data.toString('utf8', Math.max(0, data.length - waiting.answer.length))
    if (!isThere) return
    this.#waiting = undefined
    waiting.resolve()
  }
}

function post(url, body) {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      if (response.statusCode < 300) response.once('end', resolve)
      else reject(new Error(`POST ${response.statusCode}`))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function listen(url) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { accept: 'text/event-stream' } }, (response) => {
      response.on('error', () => {})
      resolve(response)
    })
    sent.on('error', reject)
    sent.end()
  })
}
