// What the agent of one session waits for people to decide: permissions and questions.
import type { EventBody } from '@quayside/protocol'
import type { AskedSession, PermissionRequest } from '../agents/agent-requests.js'
import type { PutMedia } from './data-uris.js'
import { PendingPermissions } from './pending-permissions.js'
import { PendingQuestions } from './pending-questions.js'
import type { PermissionPolicy } from './permission-policy.js'
import { takeMediaOut } from './update-media.js'

export type DecisionsOptions = {
  readonly append: (body: EventBody) => Promise<unknown>
  readonly policy: PermissionPolicy
  readonly putMedia: PutMedia
  readonly timeoutMs: number
  readonly onTimeout: () => void
  /** The turn a question belongs to, or undefined when nothing may be asked any more. */
  readonly beforeAsking: () => { readonly turnId: string | undefined } | undefined
}

type Asked = Pick<AskedSession, 'onPermission' | 'onQuestion' | 'onQuestionDone'>

export class Decisions {
  readonly permissions: PendingPermissions
  readonly questions: PendingQuestions
  readonly #options: DecisionsOptions

  constructor(options: DecisionsOptions) {
    this.#options = options
    this.permissions = new PendingPermissions(options)
    this.questions = new PendingQuestions(options.append, options.timeoutMs)
  }

  get areOpen(): boolean {
    return this.permissions.size + this.questions.size > 0
  }

  /** The side that the agent asks. */
  asked(): Asked {
    const { beforeAsking } = this.#options
    return {
      onPermission: async (request, signal) => {
        const turn = beforeAsking()
        if (turn === undefined) return { outcome: 'cancelled' }
        return this.permissions.ask(this.#lighten(request), { ...turn, signal })
      },
      onQuestion: async (request, signal) => {
        const turn = beforeAsking()
        if (turn === undefined) return { action: 'cancel' }
        return this.questions.ask(request, { ...turn, signal })
      },
      onQuestionDone: (elicitationId) => this.questions.complete(elicitationId),
    }
  }

  async cancelAll(reason: 'turn_cancelled' | 'agent_exited'): Promise<void> {
    await Promise.all([this.permissions.cancelAll(reason), this.questions.cancelAll(reason)])
  }

  /** A proposed edit may carry whole files and images. */
  #lighten(request: PermissionRequest): PermissionRequest {
    return { ...request, toolCall: takeMediaOut(request.toolCall, this.#options.putMedia) }
  }
}
