// Folds the events of turns into a transcript: queued, started and ended, and closes the items left open at an end.
import type { ContentBlock } from '../acp/acp.js'
import type { EventData } from '../events/events.js'
import { cutTitle } from '../text/session-title.js'
import { closeToolCall } from './tool-call.js'
import type { Item } from './transcript-items.js'
import {
  addItem,
  closeRun,
  findItemOf,
  changeItem,
  type Step,
  type Transcript,
} from './transcript-state.js'

export function queueTurn(step: Step, data: EventData['turn.queued']): void {
  const { transcript, event } = step
  const { turnId, prompt, by } = data
  const text = textOf(prompt)
  const known = findItemOf(transcript, 'user', `user:${turnId}`)
  const first = transcript.queue.find((queued) => queued.turnId === turnId)
  const { before, ...queued } = { ...data, seq: first?.seq ?? event.seq, at: first?.at ?? event.at }
  transcript.queue = placeInQueue(transcript.queue, queued, before)
  // Kept until a person or the agent sets a better title. Shorter than a title may be: it is the beginning of a text.
  transcript.title ??= cutTitle(text.trim().split('\n')[0] ?? '', 60) || null
  if (known !== undefined) changeItem(step, known, { text, blocks: prompt })
  else
    addItem(step, {
      type: 'user',
      id: `user:${turnId}`,
      turnId,
      done: true,
      text,
      blocks: prompt,
      waiting: true,
      ...(by !== undefined && { by }),
    })
}

function placeInQueue(
  queue: Transcript['queue'],
  turn: Transcript['queue'][number],
  before: string | null | undefined,
): Transcript['queue'] {
  const place = queue.findIndex(({ turnId }) => turnId === turn.turnId)
  if (before === undefined && place >= 0) return queue.with(place, turn)
  const others = queue.filter(({ turnId }) => turnId !== turn.turnId)
  const next = others.findIndex(({ turnId }) => turnId === before)
  return next < 0 ? [...others, turn] : others.toSpliced(next, 0, turn)
}

export function startTurn(step: Step, { turnId }: EventData['turn.started']): void {
  const { transcript, event } = step
  closeRun(step)
  leaveQueue(transcript, turnId)
  transcript.isQueuePaused = false
  transcript.turn = { turnId, startedSeq: event.seq, startedAt: event.at }
  transcript.plan = []
  const prompt = findItemOf(transcript, 'user', `user:${turnId}`)
  if (prompt !== undefined) changeItem(step, prompt, { waiting: false, startedSeq: event.seq })
}

export function endTurn(step: Step, data: EventData['turn.ended']): void {
  const { transcript } = step
  const { turnId, pausesQueue = false, ...end } = data
  const id = `turn:${turnId}`
  const items = itemsOfTurn(transcript, turnId)
  const empty = !isAnswered(transcript, turnId)
  closeItems(step, items, end.stopReason === 'cancelled')
  leaveQueue(transcript, turnId)
  const prompt = findItemOf(transcript, 'user', `user:${turnId}`)
  if (prompt?.waiting) changeItem(step, prompt, { waiting: false })
  else transcript.lastTurnId = turnId
  if (transcript.turn?.turnId === turnId) transcript.turn = null
  if (transcript.run?.turnId === turnId) transcript.run = null
  if (pausesQueue) transcript.isQueuePaused = true
  const said = { ...end, empty }
  const known = findItemOf(transcript, 'turn_end', id)
  if (known === undefined) addItem(step, { type: 'turn_end', id, turnId, done: true, ...said })
  else changeItem(step, known, said)
}

/** Closes everything in the session, except that queued prompts survive a failure. */
export function endAll(step: Step, isFailure: boolean): void {
  const { transcript } = step
  closeItems(step, transcript.items, !isFailure)
  if (!isFailure) emptyQueue(step)
  transcript.run = null
  transcript.turn = null
  transcript.openPermissions.clear()
  transcript.openQuestions.clear()
}

function emptyQueue(step: Step): void {
  for (const { turnId } of step.transcript.queue) {
    const prompt = findItemOf(step.transcript, 'user', `user:${turnId}`)
    if (prompt !== undefined) changeItem(step, prompt, { waiting: false })
  }
  step.transcript.queue = []
}

function leaveQueue(transcript: Transcript, turnId: string): void {
  transcript.queue = transcript.queue.filter((queued) => queued.turnId !== turnId)
}

/** Searches back to where the turn started or was queued, so that each item is visited about once. */
function itemsOfTurn({ items, index, turn }: Transcript, turnId: string): readonly Item[] {
  const startedSeq = turn?.turnId === turnId ? turn.startedSeq : 0
  const from = index.get(`user:${turnId}`) ?? 0
  const found: Item[] = []
  for (let position = items.length - 1; position >= from; position -= 1) {
    const item = items[position]
    if (item === undefined || item.seq < startedSeq) break
    if (item.turnId === turnId) found.push(item)
  }
  return found
}

/** True when the turn has more than thoughts so far. */
export function isAnswered(transcript: Transcript, turnId: string): boolean {
  const { turn } = transcript
  if (turn?.turnId === turnId && turn.isAnswered) return true
  return itemsOfTurn(transcript, turnId).some(isAnswer)
}

function closeItems(step: Step, items: readonly Item[], isCancelled: boolean): void {
  for (const item of items.filter(({ done }) => !done)) closeItem(step, item, isCancelled)
}

function closeItem(step: Step, item: Item, isCancelled: boolean): void {
  switch (item.type) {
    case 'tool':
      return changeItem(step, item, { done: true, call: closeToolCall(item.call, isCancelled) })
    case 'permission':
      step.transcript.openPermissions.delete(item.permissionId)
      return changeItem(step, item, { done: true, outcome: { outcome: 'cancelled' } })
    case 'question':
      step.transcript.openQuestions.delete(item.questionId)
      return changeItem(step, item, { done: true, action: 'cancel' })
    default:
      return changeItem(step, item, { done: true })
  }
}

function isAnswer(item: Item): boolean {
  switch (item.type) {
    case 'text':
      return item.text.trim() !== ''
    case 'content':
    case 'tool':
    case 'plan':
    case 'permission':
    case 'question':
      return true
    default:
      return false
  }
}

function textOf(prompt: readonly ContentBlock[]): string {
  return prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}
