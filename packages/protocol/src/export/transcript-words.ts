// The sentences of exported transcripts, the same in Markdown and HTML.
import type { Failure } from '../events/events.js'
import type { EntryOf } from './transcript-entries.js'

/** The facts at the top of a transcript. */
export type TranscriptAbout = {
  readonly sessionId: string
  readonly title?: string | null
  readonly agent?: string
  readonly repo?: string
  /** ISO 8601. */
  readonly createdAt?: string
}

export function titleOf({ title, sessionId }: TranscriptAbout): string {
  return title?.trim() || `Session ${sessionId}`
}

export function aboutLine({ agent, repo, createdAt, sessionId }: TranscriptAbout): string {
  const facts = [agent, repo, createdAt, `session ${sessionId}`]
  return facts.filter((fact) => fact !== undefined).join(' · ')
}

export function outcomeOf(entry: EntryOf<'permission' | 'question'>): string {
  const by = entry.by === undefined ? '' : ` by ${entry.by}`
  if (entry.outcome === 'pending') return 'not answered yet'
  if (entry.role === 'permission' && entry.option !== undefined)
    return `“${entry.option}” chosen${entry.reason === 'rule' ? ' by a rule' : by}`
  const why = entry.reason === undefined || entry.reason === 'answered' ? '' : ` (${entry.reason})`
  return `${PAST[entry.outcome]}${by}${why}`
}

const PAST = {
  selected: 'answered',
  cancelled: 'cancelled',
  accept: 'answered',
  decline: 'declined',
  cancel: 'cancelled',
} as const

export function answerOf({ answer }: EntryOf<'question'>): string {
  return answer === undefined ? '' : JSON.stringify(answer, null, 2)
}

export function endingOf(entry: EntryOf<'status'>): string {
  const { error, status, stop_reason: reason, empty, duration_ms: ms } = entry
  if (error?.code === 'session_ended') return error.message
  if (error !== undefined) return `The turn failed: ${error.message}`
  if (status === 'error') return 'The turn failed.'
  const end = reason === 'cancelled' ? 'The turn was stopped' : 'The turn ended'
  const why = reason === undefined || reason === 'cancelled' ? '' : ` (${reason})`
  const took = ms === undefined ? '' : ` after ${(ms / 1000).toFixed(1)} s`
  return `${end}${took}${why}${empty && reason !== 'cancelled' ? ' without an answer' : ''}.`
}

/** The agent's own error or last output, unless the text before it has it already. */
export function failureText(before: string, details: Failure['details']): string {
  const said = details?.['acp'] ?? details?.['stderrTail']
  if (said === undefined) return ''
  const text = typeof said === 'string' ? said.trim() : JSON.stringify(said, null, 2)
  return before.includes(text) ? '' : text
}
