// The exit codes that scripts can rely on. docs/cli.md lists them.
import type { ChatEventOf } from '@quayside/client'

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  needsDecision: 3,
  cancelled: 4,
  agentUnavailable: 5,
  stoppedShort: 6,
  hubUnreachable: 7,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export const EXIT_CODES_HELP = `
Exit code: 0 done, 1 failed, 2 wrong usage, 3 needs a decision, 4 cancelled,
5 there is no such agent, or it is not installed or not signed in, 6 the agent
refused or reached a limit, 7 the hub cannot be reached.`

/** A failure with its own exit code. */
export class CommandError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

const BY_CODE: Readonly<Record<string, ExitCode>> = {
  unreachable: EXIT.hubUnreachable,
  aborted: EXIT.cancelled,
  removed: EXIT.cancelled,
  agent_not_installed: EXIT.agentUnavailable,
  agent_auth_required: EXIT.agentUnavailable,
  extension_not_found: EXIT.agentUnavailable,
  extension_unavailable: EXIT.agentUnavailable,
}

const BY_STOP_REASON: Readonly<Record<string, ExitCode>> = {
  end_turn: EXIT.done,
  cancelled: EXIT.cancelled,
  refusal: EXIT.stoppedShort,
  max_tokens: EXIT.stoppedShort,
  max_turn_requests: EXIT.stoppedShort,
}

export function exitCodeOfError(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode
  // ClientError and HubError share their codes.
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return (typeof code === 'string' && BY_CODE[code]) || EXIT.failed
}

export function exitCodeOfTurn({ error, stopReason = '' }: ChatEventOf<'turn_end'>): ExitCode {
  return (error ? BY_CODE[error.code] : BY_STOP_REASON[stopReason]) ?? EXIT.failed
}
