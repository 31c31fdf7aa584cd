// Passes commands on to the hub that has their session, repository or terminal. One rule for all commands, by the names in their input.
import { type Command, parseAddress, type RestCommand } from '@quayside/protocol/schemas'
import type { Request, RequestHandler } from 'express'
import type { Cluster } from '../cluster/cluster.js'
import { PeerSocket } from '../cluster/peer-socket.js'
import { unreachable } from '../cluster/peers.js'
import { type ChosenHub, type Target, TARGETS } from '../cluster/hub-places.js'
import { HubError } from '../errors.js'
import type { HubRow } from '../store/cluster-store.js'
import { type Caller, callerOf } from './access/principal.js'
import type { FeedSocket } from './feeds/feed-socket.js'

/** Each hub reads them from the database, which has all of it. */
const READ_HERE: ReadonlySet<string> = new Set([
  'session/follow',
  'session/unfollow',
  'session/timeline',
  'event/list',
  'session/export',
  'session/transcript',
])
/** The hub that runs the session knows texts that still grow. While it is away, the database has the rest. */
const READ_ANYWHERE: ReadonlySet<string> = new Set([
  'session/get',
  'session/messages',
  'session/find',
])

export class Forwarding {
  readonly #cluster: Cluster
  readonly #sockets = new WeakMap<FeedSocket, Map<string, PeerSocket>>()

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** The handlers of a REST command: before its body is read, and after. */
  handlers(
    name: string,
    command: RestCommand,
  ): { before: RequestHandler[]; after: RequestHandler[] } {
    if (READ_HERE.has(name)) return { before: [], after: [] }
    const inPath = parseAddress(command.rest).names.find(isTarget)
    if (inPath) return { before: [this.#handler(name, inPath, readPath)], after: [] }
    const after = targetsIn(command.body).map((target) => this.#handler(name, target, readBody))
    return { before: [], after: hasChoice(command) ? [this.#atChosen(), ...after] : after }
  }

  /** For a new session on the machine that the person chose. */
  #atChosen(): RequestHandler {
    return async (request, response, next) => {
      const { peers, places } = this.#cluster
      const choice = readChoice(request.body)
      const hub = choice && (await places.findChosen(choice))
      if (hub === undefined) return next()
      const body = JSON.stringify(choice?.input)
      const caller = callerOf(request)
      await peers.pipe(hub, { caller, request, response, path: request.originalUrl, body })
    }
  }

  #handler(name: string, target: Target, read: ReadTarget): RequestHandler {
    return async (request, response, next) => {
      const { id, body } = read(request, target)
      const caller = callerOf(request)
      const hub = id === undefined ? undefined : await this.#find(name, { target, id, caller })
      if (hub === undefined) return next()
      const path = request.originalUrl
      const piped = { caller, request, response, path, ...(body !== undefined && { body }) }
      try {
        await this.#cluster.peers.pipe(hub, piped)
      } catch (error) {
        if (!READ_ANYWHERE.has(name) || response.headersSent) throw error
        return next()
      }
    }
  }

  /** The call of a WebSocket command at another hub, or undefined when it is for this one. Returns at once when that is known. */
  find(name: string, command: Command, input: object): Pending | undefined {
    if (READ_HERE.has(name)) return undefined
    const choice = hasChoice(command) ? readChoice(input) : undefined
    if (choice)
      return (socket, _params, run) =>
        this.#cluster.places
          .findChosen(choice)
          .then((hub) => (hub ? this.#socketTo(hub, socket).call(name, choice.input) : run()))
    const path = command.rest === undefined ? [] : parseAddress(command.rest).names
    const targets = [...path.filter(isTarget), ...targetsIn(command.body)]
    const target = TARGETS.find((one) => targets.includes(one) && hasText(input, one))
    if (target === undefined) return undefined
    const id = (input as Record<Target, string>)[target]
    if (this.#cluster.places.isHere(target, id)) return undefined
    return (socket, params, run) =>
      this.#find(name, { target, id, caller: socket }).then((hub) =>
        hub ? this.#socketTo(hub, socket).call(name, params) : run(),
      )
  }

  /** Throws `hub_unreachable` for a hub that is away, unless this one can answer as well. */
  async #find(
    name: string,
    { target, id, caller }: { target: Target; id: string; caller: Caller },
  ): Promise<HubRow | undefined> {
    const { places } = this.#cluster
    if (places.isHere(target, id)) return undefined
    const hub = await places.find(target, id)
    if (hub === undefined || (READ_ANYWHERE.has(name) && !hub.isLiving)) return undefined
    // Two hubs that see different owners must not send it back and forth.
    if (caller.isForwarded) throw new HubError('hub_unreachable', { message: MOVED })
    if (!hub.isLiving) throw unreachable(hub)
    return hub
  }

  #socketTo(hub: HubRow, client: FeedSocket): PeerSocket {
    const sockets = this.#sockets.get(client) ?? new Map<string, PeerSocket>()
    this.#sockets.set(client, sockets)
    const known = sockets.get(hub.id)
    if (known?.isOpen) return known
    const opened = new PeerSocket(hub, client, this.#cluster.hubs)
    sockets.set(hub.id, opened)
    return opened
  }
}

export type Pending = (socket: FeedSocket, params: unknown, run: () => unknown) => Promise<unknown>

const MOVED = 'The session has just moved to another machine. Try again in a moment.'

type ReadTarget = (
  request: Request,
  target: Target,
) => { readonly id?: string | undefined; readonly body?: string }

function readPath({ params }: Request, target: Target): { id?: string } {
  const id = params[target]
  return typeof id === 'string' ? { id } : {}
}

function readBody(request: Request, target: Target): { id?: string; body: string } {
  const body = request.body as unknown
  const text = JSON.stringify(body ?? {})
  return hasText(body, target) ? { id: body[target], body: text } : { body: text }
}

function hasChoice({ body }: Pick<Command, 'body'>): boolean {
  return body !== undefined && 'hub' in body.shape
}

/** The input without it is for the other hub, which may be of the version before. */
function readChoice(input: unknown): (ChosenHub & { readonly input: object }) | undefined {
  const { hub, ...rest } = Object(input) as Readonly<Record<string, unknown>>
  const { repoId } = rest
  if (typeof hub !== 'string' || typeof repoId !== 'string') return undefined
  return { hub, repoId, input: rest }
}

function hasText(input: unknown, target: Target): input is Record<Target, string> {
  if (typeof input !== 'object' || input === null) return false
  return typeof (input as Record<string, unknown>)[target] === 'string'
}

function isTarget(name: string): name is Target {
  return TARGETS.some((target) => target === name)
}

function targetsIn(body: Command['body']): Target[] {
  return TARGETS.filter((target) => body !== undefined && target in body.shape)
}
