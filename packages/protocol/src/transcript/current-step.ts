// The current step of a session, in one line for lists.
import type { CurrentStep } from './current-step-schema.js'
import type { PermissionItem, QuestionItem } from './transcript-items.js'
import { findItemOf, type Transcript } from './transcript-state.js'

const MAX_TITLE = 200

/** The decision that an active session waits for, its running tool call, or the decision that no one made in time. */
export function currentStepOf(transcript: Transcript): CurrentStep | undefined {
  const asked = oldestDecision(transcript)
  if (asked !== undefined) return decisionStep(asked)
  const { items, turn } = transcript
  if (turn === null) return hasTimedOut(transcript) ? { type: 'timeout' } : undefined
  const item = items.findLast((item) => item.type === 'tool' && !item.done)
  if (item?.type !== 'tool') return undefined
  const { kind, title, locations, content } = item.call
  const path = locations[0]?.path ?? content.find((entry) => entry.type === 'diff')?.path
  const cut = title.slice(0, MAX_TITLE)
  return { type: 'tool', kind, title: cut, ...(path === undefined ? {} : { path }) }
}

function oldestDecision(transcript: Transcript): PermissionItem | QuestionItem | undefined {
  const [permissionId] = transcript.openPermissions
  if (permissionId !== undefined)
    return findItemOf(transcript, 'permission', `permission:${permissionId}`)
  const [questionId] = transcript.openQuestions
  return questionId === undefined
    ? undefined
    : findItemOf(transcript, 'question', `question:${questionId}`)
}

function decisionStep({ type, at, expiresAt }: PermissionItem | QuestionItem): CurrentStep {
  return { type, since: new Date(at).toISOString(), ...(expiresAt !== undefined && { expiresAt }) }
}

function hasTimedOut(transcript: Transcript): boolean {
  const end = findItemOf(transcript, 'turn_end', `turn:${transcript.lastTurnId}`)
  return end?.reason === 'decision_timeout'
}
