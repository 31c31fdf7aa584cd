// The current step of a session, in one line for lists.
import type { CurrentStep } from './current-step-schema.js'
import type { Transcript } from './transcript-state.js'

const MAX_TITLE = 200

/** The decision that an active session waits for, or its running tool call. */
export function currentStepOf(transcript: Transcript): CurrentStep | undefined {
  const { items, turn, openPermissions, openQuestions } = transcript
  if (openPermissions.size > 0) return { type: 'permission' }
  if (openQuestions.size > 0) return { type: 'question' }
  const item = turn && items.findLast((item) => item.type === 'tool' && !item.done)
  if (item?.type !== 'tool') return undefined
  const { kind, title, locations, content } = item.call
  const path = locations[0]?.path ?? content.find((entry) => entry.type === 'diff')?.path
  const cut = title.slice(0, MAX_TITLE)
  return { type: 'tool', kind, title: cut, ...(path === undefined ? {} : { path }) }
}
