// Asks for permission through the client, and remembers "always".
import { methods } from '@agentclientprotocol/sdk'
import type {
  PermissionOption,
  RequestPermissionResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import { DEFAULT_MODE_ID } from './sessions/session-options.js'
import type { Turn } from './turn.js'

/** The kind of the selected option, or `cancelled` when the client gave no answer. */
export type PermissionAnswer = 'allow_once' | 'allow_always' | 'reject_once' | 'cancelled'

export const PERMISSION_OPTIONS = [
  { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'allow_always', name: 'Always allow in this session', kind: 'allow_always' },
  { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
] as const satisfies PermissionOption[]

export interface Asking {
  readonly signal?: AbortSignal
  /** Names for the options, in their order, instead of the default ones. */
  readonly names?: readonly string[]
}

/** Withdraws the request when `signal` aborts, and then throws. */
export async function askPermission(
  turn: Turn,
  toolCall: ToolCallUpdate,
  { signal = turn.signal, names = [] }: Asking = {},
): Promise<PermissionAnswer> {
  const options = PERMISSION_OPTIONS.map((option, place) => ({
    ...option,
    name: names[place] ?? option.name,
  }))
  const { outcome }: RequestPermissionResponse = await turn.deps.client.request(
    methods.client.session.requestPermission,
    { sessionId: turn.session.id, toolCall, options },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  )
  if (outcome.outcome === 'cancelled') return 'cancelled'
  const option = PERMISSION_OPTIONS.find(({ optionId }) => optionId === outcome.optionId)
  // An option that was not offered is not consent.
  return option?.kind ?? 'reject_once'
}

/** Like `askPermission`, but does not ask about a kind that was always allowed. */
export async function mayProceed(turn: Turn, toolCall: ToolCallUpdate): Promise<PermissionAnswer> {
  const { alwaysAllowed } = turn.session
  const kind = toolCall.kind ?? 'other'
  if (isUnasked(turn)) return 'allow_once'
  if (alwaysAllowed.has(kind)) return 'allow_always'
  const answer = await askPermission(turn, toolCall)
  if (answer === 'allow_always') alwaysAllowed.add(kind)
  return answer
}

function isUnasked({ deps, session }: Turn): boolean {
  const { faults } = deps.settings
  if (faults.has('unasked')) return true
  return faults.has('unasked-mode') && session.conversation.modeId === DEFAULT_MODE_ID
}

export function isAllowed(answer: PermissionAnswer): boolean {
  return answer === 'allow_once' || answer === 'allow_always'
}
