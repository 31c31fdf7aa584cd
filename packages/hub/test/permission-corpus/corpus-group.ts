// The form of the corpus: tool calls in the phrasings of agents and of attackers, and the decision that a session's rules must make.
import type { SessionSettings } from '@quayside/protocol/schemas'

/** A text is a command line, which the agent names in its title and in its input. */
export type CorpusCall = string | Readonly<Record<string, unknown>>

export type CorpusGroup = {
  readonly about: string
  readonly permissions: Partial<NonNullable<SessionSettings['permissions']>>
  readonly allow?: readonly CorpusCall[]
  readonly ask?: readonly CorpusCall[]
  readonly deny?: readonly CorpusCall[]
}

/** The repository of every call. */
export const ROOT = '/repo'
