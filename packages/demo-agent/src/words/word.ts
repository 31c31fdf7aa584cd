// The type of a script word, and the parsing of its arguments.
import type { PromptResponse } from '@agentclientprotocol/sdk'
import type { Turn } from '../turn.js'

export interface Word {
  readonly name: string
  /** The arguments as a person would write them, such as `N MS`; empty when there are none. */
  readonly args: string
  readonly does: string
  /** May return fields for the prompt's response in addition to the stop reason. */
  run(turn: Turn, args: string): Promise<PromptExtras | void>
}

/** `usage` is still unstable in ACP v1, so the stable types do not have it. */
export interface PromptExtras extends Partial<PromptResponse> {
  readonly usage?: { totalTokens: number; inputTokens: number; outputTokens: number }
}

/** Invalid arguments; the turn answers with the usage of the word. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function requireText(args: string): string {
  if (args === '') throw new UsageError('something is missing')
  return args
}

/** Whole numbers from 0 upwards, exactly as many as there are names. */
export function requireIntegers(args: string, ...names: string[]): number[] {
  const values = args.split(/\s+/).filter((value) => value !== '')
  if (values.length !== names.length) {
    throw new UsageError(`${names.join(' and ')} must be given, and nothing else`)
  }
  return values.map((value, index) => requireInteger(names[index] ?? '', value))
}

function requireInteger(name: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw new UsageError(`${name} must be a whole number from 0 to 999999999, not "${value}"`)
}
