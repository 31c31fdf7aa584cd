// A session that another hub runs, for ACP clients of this one: its commands are requests to that hub.
import type {
  ContentBlock,
  PendingPermission,
  PendingQuestion,
  PermissionOutcome,
} from '@quayside/protocol'
import type { QuestionAnswer } from '../agents/connection/agent-requests.js'
import { HubError } from '../errors.js'
import type { HubRow } from '../store/cluster-store.js'
import type { OutputPiece } from '../terminals/output-tail.js'
import type { KnownHubs } from './known-hubs.js'
import type { PeerCaller, Peers } from './peers.js'
import { watchRemoteTerminal } from './remote-terminal.js'

export type RemoteSessionDeps = {
  readonly id: string
  readonly hub: HubRow
  readonly hubs: KnownHubs
  readonly peers: Peers
  readonly caller: PeerCaller
}

export class RemoteSession {
  readonly #deps: RemoteSessionDeps
  readonly decisions = {
    permissions: {
      list: async () =>
        (await this.#send<{ permissions: PendingPermission[] }>('GET', '/permissions')).permissions,
      answer: (id: string, outcome: PermissionOutcome) => {
        const { optionId } = outcome as { readonly optionId?: string }
        const body = optionId === undefined ? { outcome: 'cancelled' } : { optionId }
        return this.#send('POST', `/permissions/${encodeURIComponent(id)}`, body)
      },
    },
    questions: {
      list: async () =>
        (await this.#send<{ questions: PendingQuestion[] }>('GET', '/questions')).questions,
      answer: (id: string, answer: QuestionAnswer) =>
        this.#send('POST', `/questions/${encodeURIComponent(id)}`, answer),
    },
  }

  constructor(deps: RemoteSessionDeps) {
    this.#deps = deps
  }

  resume(): Promise<unknown> {
    return this.#send('POST', '/resume', {})
  }

  /** The hub that runs the session knows what its agent takes. */
  quoteFiles(prompt: readonly ContentBlock[]): readonly ContentBlock[] {
    return prompt
  }

  prompt(
    prompt: readonly ContentBlock[],
    _by: string,
    id: string,
  ): Promise<{ readonly seq: number }> {
    return this.#send('POST', '/prompt', { prompt, id })
  }

  async cancel(): Promise<void> {
    await this.#send('POST', '/cancel', {})
  }

  /** Running or waiting. */
  async cancelTurn(turnId: string): Promise<void> {
    await this.#send('POST', '/cancel', { turnId })
    try {
      await this.#send('DELETE', `/queue/${encodeURIComponent(turnId)}`)
    } catch (error) {
      const isOver = error instanceof HubError && error.status < 500
      if (!isOver) throw error
    }
  }

  setOption(optionId: string, value: string | boolean): Promise<unknown> {
    return this.#send('PUT', `/options/${encodeURIComponent(optionId)}`, { value })
  }

  fork(input: object): Promise<{ readonly id: string }> {
    return this.#send('POST', '/fork', input)
  }

  /** The output of a running command of the session's agent. */
  watchTerminal(terminalId: string, signal: AbortSignal): AsyncIterable<OutputPiece> {
    const { id: sessionId, hub, hubs, caller } = this.#deps
    return watchRemoteTerminal({ hub, hubs, caller, sessionId, terminalId }, signal)
  }

  #send<T>(method: string, path: string, body?: object): Promise<T> {
    const { id, hub, peers, caller } = this.#deps
    const at = `/api/sessions/${encodeURIComponent(id)}${path}`
    return peers.send(hub, { method, path: at, ...(body && { body }) }, caller)
  }
}
