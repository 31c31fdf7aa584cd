// Restores a transcript from the items of a timeline, so that a reader can fold the events after it.
import { SESSION_STATUSES, type SessionStatus } from '../events/events.js'
import type { AgentTerminal } from './tool-call.js'
import type { Item, PlanItem, UserItem } from './transcript-items.js'
import {
  emptyTranscript,
  type OpenRun,
  type QueuedTurn,
  type SessionState,
  type Transcript,
} from './transcript-state.js'

/**
 * The transcript that was folded into `items` by the events up to `seq`.
 * The title, commands, options and usage are not items: without `state` they are unknown until the next event that carries them.
 */
export function restoreTranscript(
  items: readonly Item[],
  seq: number,
  state?: SessionState,
): Transcript {
  const inLogOrder = items.toSorted((a, b) => a.seq - b.seq)
  const prompt = runningPrompt(inLogOrder)
  const lastTurnId = inLogOrder.findLast((item) => item.type === 'turn_end')?.turnId
  return emptyTranscript({
    items: inLogOrder,
    seq,
    turn:
      prompt?.turnId === undefined
        ? null
        : {
            turnId: prompt.turnId,
            startedSeq: prompt.startedSeq ?? prompt.seq,
            startedAt: prompt.updatedAt,
          },
    queue: items.flatMap(queuedTurn),
    run: openRun(inLogOrder, prompt?.turnId),
    plan: lastPlan(inLogOrder)?.entries ?? [],
    status: lastStatus(inLogOrder),
    openPermissions: new Set(
      inLogOrder.flatMap((item) =>
        item.type === 'permission' && !item.done ? [item.permissionId] : [],
      ),
    ),
    openQuestions: new Set(
      inLogOrder.flatMap((item) =>
        item.type === 'question' && !item.done ? [item.questionId] : [],
      ),
    ),
    terminals: new Map(
      inLogOrder.flatMap(runningTerminals).map((terminal) => [terminal.terminalId, terminal]),
    ),
    ...(lastTurnId !== undefined && { lastTurnId }),
    ...state,
  })
}

function runningTerminals(item: Item): readonly AgentTerminal[] {
  const terminals = item.type === 'tool' ? (item.call.terminals ?? []) : []
  return terminals.filter(({ isRunning }) => isRunning)
}

function runningPrompt(items: readonly Item[]): UserItem | undefined {
  const ended = new Set(items.flatMap((item) => (item.type === 'turn_end' ? [item.turnId] : [])))
  return items.findLast(
    (item): item is UserItem =>
      item.type === 'user' && item.startedSeq !== undefined && !ended.has(item.turnId),
  )
}

function queuedTurn(item: Item): QueuedTurn[] {
  if (item.type !== 'user' || !item.waiting || item.turnId === undefined) return []
  const { turnId, blocks: prompt, by, seq, at } = item
  return [{ turnId, prompt, seq, at, ...(by !== undefined && { by }) }]
}

/** The text that is not done in a running turn; otherwise the last text. */
function openRun(items: readonly Item[], runningTurnId: string | undefined): OpenRun | null {
  const open = items.findLast((item) =>
    runningTurnId === undefined
      ? item.type !== 'notice' && !(item.type === 'user' && item.turnId !== undefined)
      : isText(item) && !item.done,
  )
  if (open === undefined || !isText(open)) return null
  const { id, type, turnId, messageId } = open
  return {
    itemId: id,
    type,
    ...(turnId !== undefined && { turnId }),
    ...(messageId !== undefined && { messageId }),
  }
}

/** An end is the last event of a log, unless the session was resumed after it. */
function lastStatus(items: readonly Item[]): SessionStatus {
  for (const item of items.toReversed()) {
    if (item.type !== 'notice' || !item.code.startsWith('session_')) continue
    const status = item.details?.['status']
    return SESSION_STATUSES.find((known) => known === status) ?? 'active'
  }
  return 'active'
}

function isText(item: Item): item is Extract<Item, { type: 'text' | 'thought' }> {
  return item.type === 'text' || item.type === 'thought'
}

function lastPlan(items: readonly Item[]): PlanItem | undefined {
  const started = items.findLast((item) => item.type === 'user' && item.startedSeq !== undefined)
  return items.findLast(
    (item): item is PlanItem =>
      item.type === 'plan' && (started === undefined || item.turnId === started.turnId),
  )
}
