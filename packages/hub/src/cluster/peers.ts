// Requests from this hub to the other ones: a client's request is passed on with the client's identity, and so is its answer.
// A request to a hub that is no longer seen is given up.
import { type ClientRequest, type IncomingMessage, type ServerResponse, request } from 'node:http'
import { request as requestTls } from 'node:https'
import type { ConnectionOptions } from 'node:tls'
import { type ErrorBody, type ErrorCode, ERRORS, type Scope } from '@quayside/protocol'
import { HubError } from '../errors.js'
import type { HubRow, PeerAccess } from '../store/cluster-store.js'
import type { KnownHubs } from './known-hubs.js'

/** The person or program that a hub asks another one for. */
export type PeerCaller = {
  readonly by: string
  readonly scope: Scope
  readonly credentialId?: string | undefined
}

export type PipedRequest = {
  readonly caller: PeerCaller
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path with its query. */
  readonly path: string
  /** Instead of the request's own body, which was read already. */
  readonly body?: string
}

/** The header that names the caller to another hub. It counts only with the token of that hub. */
export const CALLER_HEADER = 'x-quayside-caller'

const CONNECT_MS = 3_000
const WATCH_MS = 1_000
/** For an answer that is not a client's own request. */
const ASK_MS = 3_000
/** Longer than any command takes: the other hub has deadlines of its own, the longest for the start of an agent and for git. */
export const ANSWER_MS = 15 * 60_000
/** A list of terminals. */
const MAX_ASKED_BYTES = 1024 * 1024
/** The answer to a command, such as a session with its open decisions. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
const PASSED_ON = ['accept', 'content-type', 'content-length', 'last-event-id', 'range'] as const
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date'])

export class Peers {
  readonly #hubs: KnownHubs

  constructor(hubs: KnownHubs) {
    this.#hubs = hubs
  }

  /** Answers a client's request with the answer of another hub. Throws `hub_unreachable` when there is none. */
  async pipe(hub: HubRow, { caller, request, response, path, body }: PipedRequest): Promise<void> {
    const headers: Record<string, string> = {}
    for (const name of PASSED_ON) {
      const value = request.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
    const sent = this.#open(hub, { method: request.method, path, headers }, caller)
    response.once('close', () => sent.destroy())
    if (body === undefined) request.pipe(sent)
    else sent.end(body)
    // An answer that has begun is for the client to read or to give up, such as a download.
    const answer = await within(sent, ANSWER_MS, this.#answerOf(sent, hub))
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value)
    response.writeHead(answer.statusCode ?? 500)
    response.flushHeaders()
    answer.once('error', () => response.destroy())
    answer.pipe(response)
  }

  /** The JSON of another hub's answer; undefined when it answers with an error, or not in time. */
  async ask<T>(hub: HubRow, path: string, caller: PeerCaller): Promise<T | undefined> {
    try {
      const sent = this.#open(hub, { method: 'GET', path, headers: {} }, caller)
      sent.end()
      const { status, json } = await within(sent, ASK_MS, this.#read(sent, hub, MAX_ASKED_BYTES))
      return status === 200 ? (json as T) : undefined
    } catch {
      return undefined
    }
  }

  /** The JSON of another hub's answer to a command. Throws its error, and `hub_unreachable`. */
  async send<T>(
    hub: HubRow,
    { method, path, body }: { method: string; path: string; body?: object },
    caller: PeerCaller,
  ): Promise<T> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers: Record<string, string> =
      text === undefined
        ? {}
        : {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
          }
    const sent = this.#open(hub, { method, path, headers }, caller)
    sent.end(text)
    const { status, json } = await within(sent, ANSWER_MS, this.#read(sent, hub, MAX_ANSWER_BYTES))
    if (status < 400) return json as T
    throw fromBody(json)
  }

  async #read(
    sent: ClientRequest,
    hub: HubRow,
    maxBytes: number,
  ): Promise<{ status: number; json: unknown }> {
    const answer = await this.#answerOf(sent, hub)
    const json = await readJson(answer, maxBytes).catch((error: unknown) => {
      sent.destroy()
      throw unreachable(hub, error)
    })
    return { status: answer.statusCode ?? 500, json }
  }

  #open(hub: HubRow, options: object, caller: PeerCaller): ClientRequest {
    const { access } = hub
    if (access === undefined) throw unreachable(hub)
    const { protocol, hostname, port } = new URL(access.address)
    const { headers } = options as { readonly headers: object }
    const target = { protocol, hostname: hostname.replaceAll(/[[\]]/g, ''), port, agent: false }
    const all = {
      ...options,
      ...target,
      headers: { ...headers, ...peerHeaders(access, caller) },
      ...trustOf(access),
    }
    const sent = protocol === 'https:' ? requestTls(all) : request(all)
    this.#watch(sent, hub)
    return sent
  }

  /** Until the request and its answer are over. */
  #watch(sent: ClientRequest, hub: HubRow): void {
    const late = setTimeout(() => sent.destroy(new Error('no connection')), CONNECT_MS)
    sent.once('socket', (socket) => socket.once('connect', () => clearTimeout(late)))
    const watch = setInterval(() => {
      if (!this.#hubs.isLiving(hub)) sent.destroy(new Error('the hub is away'))
    }, WATCH_MS).unref()
    sent.once('close', () => {
      clearTimeout(late)
      clearInterval(watch)
    })
  }

  /** A hub that does not know the token is another one at the same address. */
  async #answerOf(sent: ClientRequest, hub: HubRow): Promise<IncomingMessage> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve)
      sent.on('error', (error) => reject(unreachable(hub, error)))
      sent.once('close', () => reject(unreachable(hub)))
    })
    if (answer.statusCode !== 401) return answer
    sent.destroy()
    throw unreachable(hub)
  }
}

/** Ends the request when its answer is late. */
async function within<T>(sent: ClientRequest, ms: number, answer: Promise<T>): Promise<T> {
  const late = setTimeout(() => sent.destroy(new Error('no answer in time')), ms)
  return answer.finally(() => clearTimeout(late))
}

async function readJson(answer: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new Error('the answer of another hub is too long')
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

function fromBody(body: unknown): HubError {
  const { code, message, details } = (body as ErrorBody).error
  const known = Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'internal'
  return new HubError(known, { ...details, message })
}

export function peerHeaders({ token }: PeerAccess, { by, scope, credentialId }: PeerCaller) {
  const caller = JSON.stringify({ by, scope, credentialId })
  return {
    authorization: `Bearer ${token}`,
    [CALLER_HEADER]: Buffer.from(caller).toString('base64url'),
  }
}

/** The certificate alone identifies a hub that has its own. */
export function trustOf({ certificate }: PeerAccess): ConnectionOptions {
  if (certificate === undefined) return {}
  return {
    ca: certificate,
    allowPartialTrustChain: true,
    checkServerIdentity: () => undefined,
  }
}

export function unreachable({ name, seenAt, isLiving }: HubRow, cause?: unknown): HubError {
  const since = new Date(seenAt).toISOString()
  const when = isLiving ? '' : `, since ${since}`
  const message = `The machine "${name}" cannot be reached${when}. What it runs continues when it is back; a command that was sent may have arrived.`
  const hub = { name, ...(!isLiving && { since }) }
  return new HubError('hub_unreachable', { message, hub }, { cause })
}
