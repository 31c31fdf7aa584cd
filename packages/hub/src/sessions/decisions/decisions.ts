// What the agent of one session waits for people to decide: permissions and questions.
import type { EventBody } from '@quayside/protocol'
import type { AskedSession } from '../../agents/connection/agent-requests.js'
import type { PermissionRequest } from '../../agents/connection/read-agent-messages.js'
import type { Log } from '../../log.js'
import type { PutMedia } from '../media/data-uris.js'
import { PendingPermissions } from './pending-permissions.js'
import { PendingQuestions } from './pending-questions.js'
import type { PermissionPolicy } from './permission-policy.js'
import { takeMediaOut } from '../media/update-media.js'

export type DecisionsOptions = {
  readonly append: (body: EventBody) => Promise<unknown>
  readonly log: Log
  readonly policy: PermissionPolicy
  readonly putMedia: PutMedia
  readonly timeoutMs: number
  readonly onTimeout: () => void
  /** The turn a question belongs to, or undefined when nothing may be asked any more. */
  readonly beforeAsking: () => { readonly turnId: string | undefined } | undefined
  /** The agent has its answer. */
  readonly afterAsking: () => void
}

/** More open at once than a person could look at: an agent that goes on asking is told no. */
const MAX_OPEN = 64

type Asked = Pick<AskedSession, 'onPermission' | 'onQuestion' | 'onQuestionDone'>

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

  /** The side that the agent asks. */
  asked(): Asked {
    return {
      onPermission: async (request, signal) => {
        const turn = this.#beforeAsking()
        if (turn === undefined) return { outcome: 'cancelled' }
        const asked = this.permissions.ask(this.#lighten(request), { ...turn, signal })
        return asked.finally(this.#options.afterAsking)
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

  /** A proposed edit may carry whole files and images. */
  #lighten(request: PermissionRequest): PermissionRequest {
    return { ...request, toolCall: takeMediaOut(request.toolCall, this.#options.putMedia) }
  }
}
