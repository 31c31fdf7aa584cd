// A session as an ACP client commands it: one of this hub, or one that another hub runs.
import type {
  ContentBlock,
  PendingPermission,
  PendingQuestion,
  PermissionOutcome,
} from '@quayside/protocol'
import type { QuestionAnswer } from '../agents/connection/agent-requests.js'
import type { MaybePromise } from '../store/maybe-promise.js'

export type AcpSession = {
  quoteFiles(prompt: readonly ContentBlock[]): readonly ContentBlock[]
  prompt(
    prompt: readonly ContentBlock[],
    by: string,
    turnId: string,
  ): Promise<{ readonly seq: number }>
  cancel(request: { readonly by: string }): Promise<void>
  cancelTurn(turnId: string, by: string): Promise<void>
  setOption(optionId: string, value: string | boolean, by: string): Promise<unknown>
  readonly decisions: {
    readonly permissions: Decisions<PendingPermission, PermissionOutcome>
    readonly questions: Decisions<PendingQuestion, QuestionAnswer>
  }
}

type Decisions<Pending, Answer> = {
  list(): MaybePromise<readonly Pending[]>
  answer(id: string, answer: Answer, by: string): Promise<unknown>
}
