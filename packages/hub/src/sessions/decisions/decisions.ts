// The open decisions of one session, for which its agent waits: permissions and questions.
import { type EventBody, readToolCall, type KnownToolCall } from '@quayside/protocol'
import type { AskedSession } from '../../agents/connection/agent-requests.js'
import type { PermissionRequest } from '../../agents/connection/read-agent-messages.js'
import type { Log } from '../../log.js'
import type { PutMedia } from '../media/data-uri-offloader.js'
import type { KnownCall } from './call-facts.js'
import { PendingPermissions } from './pending-permissions.js'
import { PendingQuestions } from './pending-questions.js'
import type { PermissionRules } from './permission-rules.js'
import { offloadMedia } from '../media/offload-media.js'

export type DecisionsOptions = {
  readonly append: (body: EventBody) => Promise<unknown>
  readonly log: Log
  readonly policy: PermissionRules
  readonly putMedia: PutMedia
  readonly timeoutMs: number
  readonly onTimeout: () => void
  /** The turn a request belongs to, or undefined when the agent may not ask any more. */
  readonly beforeAsking: () => { readonly turnId: string | undefined } | undefined
  /** The call of a request, with everything that the agent sent about it before. */
  readonly mergeCall: (fields: KnownToolCall) => KnownCall
  /** The agent has been answered. */
  readonly afterAsking: () => void
}

/** Requests beyond this number are cancelled at once: more than a person could review. */
const MAX_OPEN = 64

type RequestHandlers = Pick<AskedSession, 'onPermission' | 'onQuestion' | 'onQuestionDone'>

export class Decisions {
  readonly permissions: PendingPermissions
  readonly questions: PendingQuestions
  readonly #options: DecisionsOptions

  constructor(options: DecisionsOptions) {
    this.#options = options
    this.permissions = new PendingPermissions(options)
    this.questions = new PendingQuestions(options)
  }

  get openCount(): number {
    return this.permissions.size + this.questions.size
  }

  /** Handlers for the agent's requests. */
  requestHandlers(): RequestHandlers {
    return {
      onPermission: async (request, signal) => {
        const turn = this.#beforeAsking()
        if (turn === undefined) return { outcome: 'cancelled' }
        const small = this.#offload(request)
        const fields = readToolCall(small.toolCall) ?? { toolCallId: small.toolCall.toolCallId }
        const known = this.#options.mergeCall(fields)
        const answer = this.permissions.ask(small, { ...turn, signal, known })
        return answer.finally(this.#options.afterAsking)
      },
      onQuestion: async (request, signal) => {
        const turn = this.#beforeAsking()
        if (turn === undefined) return { action: 'cancel' }
        return this.questions.ask(request, { ...turn, signal }).finally(this.#options.afterAsking)
      },
      onQuestionDone: (elicitationId) => this.questions.complete(elicitationId),
    }
  }

  async cancelAll(reason: 'turn_cancelled' | 'agent_exited'): Promise<void> {
    await Promise.all([this.permissions.cancelAll(reason), this.questions.cancelAll(reason)])
  }

  #beforeAsking(): { readonly turnId: string | undefined } | undefined {
    return this.openCount < MAX_OPEN ? this.#options.beforeAsking() : undefined
  }

  /** A proposed edit may contain whole files and images. */
  #offload(request: PermissionRequest): PermissionRequest {
    return { ...request, toolCall: offloadMedia(request.toolCall, this.#options.putMedia) }
  }
}
