// Asks the person behind the client, and keeps the promise of "always".
import { methods } from '@agentclientprotocol/sdk'
import type {
  PermissionOption,
  RequestPermissionResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import type { Turn } from './turn.js'

/** The option that was selected, by its kind; or `cancelled`, when the client gave no answer. */
export type PermissionAnswer = 'allow_once' | 'allow_always' | 'reject_once' | 'cancelled'

export const PERMISSION_OPTIONS = [
  { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'allow_always', name: 'Always allow in this session', kind: 'allow_always' },
  { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
] as const satisfies PermissionOption[]

export interface Asking {
  readonly signal?: AbortSignal
  /** What the options are called, in their order, instead of what they are called here. */
  readonly names?: readonly string[]
}

/** Withdraws the question when `signal` aborts, and then throws. */
export async function askPermission(
  turn: Turn,
  toolCall: ToolCallUpdate,
  { signal = turn.signal, names = [] }: Asking = {},
): Promise<PermissionAnswer> {
  const options = PERMISSION_OPTIONS.map((option, place) => ({
    ...option,
    name: names[place] ?? option.name,
  }))
  const { outcome }: RequestPermissionResponse = await turn.parts.client.request(
    methods.client.session.requestPermission,
    { sessionId: turn.session.id, toolCall, options },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  )
  if (outcome.outcome === 'cancelled') return 'cancelled'
  const option = PERMISSION_OPTIONS.find(({ optionId }) => optionId === outcome.optionId)
  // An option nobody offered is no consent.
  return option?.kind ?? 'reject_once'
}

/** Like `askPermission`, but a kind that was allowed for good is not asked about again. */
export async function mayProceed(turn: Turn, toolCall: ToolCallUpdate): Promise<PermissionAnswer> {
  const { alwaysAllowed } = turn.session
  const kind = toolCall.kind ?? 'other'
  if (turn.parts.settings.faults.has('unasked')) return 'allow_once'
  if (alwaysAllowed.has(kind)) return 'allow_always'
  const answer = await askPermission(turn, toolCall)
  if (answer === 'allow_always') alwaysAllowed.add(kind)
  return answer
}

export function isAllowed(answer: PermissionAnswer): boolean {
  return answer === 'allow_once' || answer === 'allow_always'
}
