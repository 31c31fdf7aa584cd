// Answers agents' permissions by a policy, or leaves them to a person.
import type { PendingPermission, PermissionOption } from '@quayside/protocol'
import type { AgentSession } from './agent-session.js'
import type { HubConnection } from '../connection/connection.js'
import { isClientError } from '../connection/client-error.js'

export type PermissionRequest = PendingPermission & {
  readonly sessionId: string
  /** The id of the option of this kind, if there is one. */
  readonly pick: (kind: PermissionOption['kind']) => string | undefined
}

/** An option's id, or `defer` to leave it to a person or another client. */
export type PermissionDecision = string

export type PermissionPolicy = (
  request: PermissionRequest,
) => PermissionDecision | Promise<PermissionDecision>

/** Chooses by an option's kind, because agents offer options in any order; and only "once". */
function choose(kind: PermissionOption['kind'], toolKinds?: readonly string[]): PermissionPolicy {
  return ({ toolCall, pick }) =>
    (!toolKinds || toolKinds.includes(toolCall.kind ?? 'other') ? pick(kind) : undefined) ?? 'defer'
}

export const policies = {
  ask: (): PermissionPolicy => () => 'defer',
  /** Allows tool calls of these kinds, such as `read` and `search`; the rest is left to a person. */
  allow: (...toolKinds: readonly string[]) => choose('allow_once', toolKinds),
  allowAll: () => choose('allow_once'),
  rejectAll: () => choose('reject_once'),
}

type PolicyDeps = {
  readonly connection: HubConnection
  readonly onFailure: (error: unknown) => void
}

/** Applies the policy to open permissions and to later ones. */
export function answerBy(
  policy: PermissionPolicy,
  session: AgentSession,
  { connection, onFailure }: PolicyDeps,
): void {
  /** Permissions already passed to the policy, which may have deferred them. */
  const decided = new Set<string>()

  async function answerAll(): Promise<void> {
    try {
      for (const open of await session.permissions()) await answer(open)
    } catch (error) {
      if (!isClientError(error, 'unreachable')) return onFailure(error)
      await connection.waitToRetry(0)
      if (connection.now.state !== 'closed') await answerAll()
    }
  }

  async function answer(open: PendingPermission): Promise<void> {
    const { permissionId, options } = open
    if (decided.has(permissionId)) return
    decided.add(permissionId)
    const pick = (wanted: string) => options.find(({ kind }) => kind === wanted)?.optionId
    const decision = await policy({ ...open, sessionId: session.id, pick })
    if (decision === 'defer') return
    await session.respond(permissionId, decision).catch((error: unknown) => {
      // Another client was faster.
      if (isClientError(error, 'permission_not_pending')) return
      decided.delete(permissionId)
      throw error
    })
  }

  session.on('permission_request', () => void answerAll())
  void answerAll()
}
