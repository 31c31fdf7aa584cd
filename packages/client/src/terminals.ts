// The public list of @quayside/client/terminals: people's terminals, opened and closed by HTTP; their output, and what is typed,
// goes over the connection. The commands of agents are read in the same way.
import type {
  CallInput,
  HubNotification,
  Terminal,
  TerminalExit,
  TerminalPiece,
} from '@quayside/protocol'
import type { AgentChatClient } from './client.js'
import type { HubConnection } from './connection/connection.js'
import { Follower } from './connection/follower.js'
import { ClientError, isHubTrouble } from './connection/client-error.js'
import type { Abortable, Http } from './connection/http.js'
import type { RpcRequest } from './connection/rpc-socket.js'

export type TerminalEvent =
  /** `skippedBytes` are lost before it: the hub keeps the last mebibyte. `next` is where to go on from. */
  | ({ readonly type: 'output' } & TerminalPiece)
  /** The last one; `exit` is null when that is unknown. */
  | { readonly type: 'exited'; readonly exit: TerminalExit | null }

export type TerminalSize = { readonly cols: number; readonly rows: number }

/** In a repository, or in the folder of a session: your shell, or `command`. */
export type NewTerminal = CallInput<'terminal/create'>

type AgentCommand = { readonly after: number; readonly sessionId: string }

type TerminalFollower = Follower<TerminalEvent>

/** The reader of a terminal, and the last request to follow it. */
type Reading = {
  readonly follower: TerminalFollower
  /** Of an agent's command: where it runs. */
  readonly sessionId: string | undefined
  asked?: RpcRequest<'terminal/follow' | 'terminal/watch'> | undefined
}

const MAX_INPUT_CHARACTERS = 65_536
/** The limit of output that waits for a slow reader. */
const MAX_WAITING_CHARACTERS = 1024 * 1024

const byClient = new WeakMap<AgentChatClient, Terminals>()

/** The terminals of people. Those of agents are events of their sessions, and can be followed while they run. */
export function terminalsOf(client: AgentChatClient): Terminals {
  const terminals = byClient.get(client) ?? new Terminals(client)
  byClient.set(client, terminals)
  return terminals
}

export class Terminals {
  readonly #http: Http
  readonly #connection: HubConnection
  readonly #readings = new Map<string, Reading>()

  constructor({ http, socket: connection }: AgentChatClient) {
    this.#http = http
    this.#connection = connection
    connection.serve({
      onOpen: () => {
        for (const id of this.#readings.keys()) this.#ask(id)
      },
      onMessage: (message) => this.#deliver(message),
      onEnd: (error) => {
        for (const { follower } of this.#readings.values()) follower.end(error)
      },
    })
  }

  /** Oldest first; also those that have ended a short while ago. */
  async list(abortable?: Abortable): Promise<Terminal[]> {
    return (await this.#http.call('GET /api/terminals', {}, abortable)).terminals as Terminal[]
  }

  open(terminal: NewTerminal, abortable?: Abortable): Promise<Terminal> {
    return this.#http.call('POST /api/terminals', terminal, abortable)
  }

  /** Ends everything that was started in it. */
  async close(id: string, abortable?: Abortable): Promise<void> {
    await this.#http.call('DELETE /api/terminals/{terminalId}', { terminalId: id }, abortable)
  }

  /**
   * All output after `after`, past and future, without gap or repeat, until the program ends or `signal` aborts.
   * A terminal has one reader in a client: a second one takes over from the first. With a session it is a command of that
   * session's agent.
   */
  async *follow(
    id: string,
    { after = 0, sessionId, signal }: Abortable & Partial<AgentCommand> = {},
  ): AsyncGenerator<TerminalEvent, void, undefined> {
    if (signal?.aborted) return
    this.#connection.start()
    const follower: TerminalFollower = new Follower({
      after,
      maxWaiting: MAX_WAITING_CHARACTERS,
      onCaughtUp: () => this.#ask(id),
    })
    const stop = () => follower.stop()
    signal?.addEventListener('abort', stop)
    this.#readings.get(id)?.follower.stop()
    this.#readings.set(id, { follower, sessionId })
    this.#ask(id)
    try {
      yield* follower.items()
    } finally {
      signal?.removeEventListener('abort', stop)
      this.#leave(id, follower)
    }
  }

  /** Types. Rejects when the terminal did not get it: the connection is lost, or its program does not read. */
  async write(id: string, data: string): Promise<void> {
    // All of it is sent before anything is waited for, so that nothing typed later comes between.
    const pieces = Math.ceil(data.length / MAX_INPUT_CHARACTERS)
    const sent = Array.from({ length: pieces }, (_, at) => {
      const from = at * MAX_INPUT_CHARACTERS
      const piece = data.slice(from, from + MAX_INPUT_CHARACTERS)
      return this.#requireSocket().request('terminal/input', { terminalId: id, data: piece }).answer
    })
    await Promise.all(sent)
  }

  async resize(id: string, { cols, rows }: TerminalSize): Promise<void> {
    await this.#requireSocket().request('terminal/resize', { terminalId: id, cols, rows }).answer
  }

  #requireSocket() {
    const { socket } = this.#connection
    if (!socket) throw new ClientError('unreachable', 'There is no connection to the hub now.')
    return socket
  }

  #ask(id: string): void {
    const reading = this.#readings.get(id)
    const { socket } = this.#connection
    if (!reading || !socket) return
    const { follower, sessionId } = reading
    const params = { terminalId: id, after: follower.cursor }
    const asked = sessionId
      ? socket.request('terminal/watch', { sessionId, ...params })
      : socket.request('terminal/follow', params)
    reading.asked = asked
    asked.answer.catch((error: ClientError) => {
      // A newer request has its own answer, and a lost connection is not the end: the next one asks again.
      if (error.code === 'unreachable' || reading.asked !== asked) return
      if (isHubTrouble(error)) return socket.close()
      follower.end(error)
    })
  }

  #deliver({ method, params }: HubNotification): void {
    if (method !== 'terminal/output' && method !== 'terminal/exited') return
    const reading = this.#readings.get(params.terminalId)
    // Until a follow request is answered, output of the one before it may still arrive.
    if (!reading?.asked?.isAnswered) return
    const { follower } = reading
    if (method === 'terminal/exited') return exit(follower, params.exit)
    if (!accept(follower, params)) return this.#ask(params.terminalId)
    if (!follower.isFull) return
    reading.asked = undefined
    this.#unfollow(params.terminalId)
  }

  #leave(id: string, follower: TerminalFollower): void {
    if (this.#readings.get(id)?.follower !== follower) return
    this.#readings.delete(id)
    this.#unfollow(id)
  }

  #unfollow(terminalId: string): void {
    // When this is not answered the socket is gone, and with it what was followed.
    this.#connection.socket?.request('terminal/unfollow', { terminalId }).answer.catch(() => {})
  }
}

/** Hands the next piece over. Returns false when it does not continue what came before. */
function accept(follower: TerminalFollower, piece: TerminalPiece): boolean {
  if (follower.isFull) return true
  const { offset, next, data, skippedBytes, isPast } = piece
  if (offset - skippedBytes !== follower.cursor) return false
  const output = { type: 'output', offset, next, data, skippedBytes } as const
  const event = isPast ? { ...output, isPast } : output
  follower.take(event, { cursor: next, size: data.length })
  return true
}

/** Its program has ended, and all output has come. */
function exit(follower: TerminalFollower, how: TerminalExit | null): void {
  if (follower.isFull) return
  follower.take({ type: 'exited', exit: how }, { cursor: follower.cursor, size: 0 })
  follower.end()
}
