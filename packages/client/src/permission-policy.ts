// Who answers the permissions that agents ask for: a program by a policy, or else a person.
import type { PendingPermission, PermissionOption } from '@quayside/protocol'

export type PermissionRequest = PendingPermission & {
  readonly sessionId: string
  /** The id of the option of this kind, if there is one. */
  readonly pick: (kind: PermissionOption['kind']) => string | undefined
}

/** An option's id, or `defer`: a person decides, or another client. */
export type PermissionDecision = string

export type PermissionPolicy = (
  request: PermissionRequest,
) => PermissionDecision | Promise<PermissionDecision>

/** By an option's kind, never by its place: agents offer them in any order. And only for once. */
function choose(kind: PermissionOption['kind'], toolKinds?: readonly string[]): PermissionPolicy {
  return ({ toolCall, pick }) =>
    (!toolKinds || toolKinds.includes(toolCall.kind ?? 'other') ? pick(kind) : undefined) ?? 'defer'
}

export const policies = {
  ask: (): PermissionPolicy => () => 'defer',
  /** Tool calls of these kinds, such as `read` and `search`; the rest is left to a person. */
  allow: (...toolKinds: readonly string[]) => choose('allow_once', toolKinds),
  allowAll: () => choose('allow_once'),
  rejectAll: () => choose('reject_once'),
}
