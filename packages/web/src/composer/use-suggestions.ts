// Suggestions after `@` (a file of the repository) and after `/` at the beginning (a command of the agent).
import { useHub } from '@quayside/client/react'
import type { AvailableCommand } from '@quayside/protocol'
import { useEffect, useState } from 'react'

export type Suggestion = { readonly value: string; readonly note?: string | undefined }
export type Trigger = {
  readonly sign: '@' | '/'
  readonly query: string
  /** The position of the character in the text. */
  readonly start: number
}

type Written = { readonly text: string; readonly caret: number }

const MAX_SHOWN = 8

/** The word at the caret, when it starts a suggestion. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret)
  const command = /^\/(\S*)$/.exec(before)
  if (command) return { sign: '/', query: command[1] ?? '', start: 0 }
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before)
  if (!file) return undefined
  const query = file[1] ?? ''
  return { sign: '@', query, start: caret - query.length - 1 }
}

/** Replaces the typed word with the suggestion. */
export function withChoice(text: string, trigger: Trigger | undefined, value: string): Written {
  if (trigger === undefined) return { text, caret: text.length }
  const { sign, query, start } = trigger
  const chosen = `${text.slice(0, start)}${sign}${value} `
  const rest = text.slice(start + 1 + query.length).replace(/^ +/, '')
  return { text: chosen + rest, caret: chosen.length }
}

/** Inserts the character where it opens suggestions. */
export function withSign(text: string, sign: Trigger['sign']): Written {
  if (sign === '/') return { text: `/${text}`, caret: 1 }
  const next = `${text}${text === '' || /\s$/.test(text) ? '' : ' '}@`
  return { text: next, caret: next.length }
}

export function commandsFor(
  commands: readonly AvailableCommand[],
  query: string,
): readonly Suggestion[] {
  const wanted = query.toLowerCase()
  const isFirst = (name: string) => name.toLowerCase().startsWith(wanted)
  return commands
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(isFirst(b.name)) - Number(isFirst(a.name)))
    .slice(0, MAX_SHOWN)
    .map(({ name, description, input }) => ({
      value: name,
      note: [input?.hint, description].filter(Boolean).join(' · '),
    }))
}

/** The work tree whose files are suggested: the repository's own, or that of a session. */
export type SuggestionPlace = {
  readonly repoId?: string | undefined
  readonly sessionId?: string | undefined
}

/** Undefined while loading. */
export function useFiles(
  { repoId, sessionId }: SuggestionPlace,
  query: string | undefined,
): readonly Suggestion[] | undefined {
  const client = useHub()
  const [found, setFound] = useState<{ query: string; files: readonly Suggestion[] }>()

  useEffect(() => {
    if (repoId === undefined || query === undefined) return undefined
    const looking = new AbortController()
    const filter = { q: query, limit: MAX_SHOWN, ...(sessionId !== undefined && { sessionId }) }
    client.repos.files(repoId, filter, { signal: looking.signal }).then(
      ({ files }) => setFound({ query, files: files.map((value) => ({ value })) }),
      // Aborted, or the hub does not answer: no suggestions.
      () => {},
    )
    return () => looking.abort()
  }, [client, repoId, sessionId, query])

  return query === undefined ? undefined : found?.files
}
