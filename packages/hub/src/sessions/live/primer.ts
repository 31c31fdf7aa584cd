// The conversation so far as text, for an agent that cannot restore its memory of it.
import { inReadingOrder, type Item, messageOf, type Timeline } from '@quayside/protocol'
import type { Timelines } from '../reading/timeline.js'

const MAX_PRIMER_CHARS = 32 * 1024
const PAGE_ITEMS = 100

const INTRODUCTION =
  'You are continuing a conversation whose memory you have lost. This is what was said so far, oldest first. ' +
  'Files you changed are as you left them. Answer only what comes after it.'

/** The newest messages that fit, of turns that ran before `turnId`, if it is given. Empty for a session without messages. */
export async function primerText(
  timelines: Pick<Timelines, 'read'>,
  sessionId: string,
  turnId?: string,
): Promise<string> {
  const items = new Map<string, Item>()
  let length = 0
  for (let before: number | undefined; length < MAX_PRIMER_CHARS;) {
    const page: Timeline = await timelines.read(sessionId, PAGE_ITEMS, before)
    for (const item of page.items) {
      // A later page has the newer state.
      if (items.has(item.id)) continue
      items.set(item.id, item)
      length += lineOf(item, turnId)?.length ?? 0
    }
    before = page.before
    if (before === undefined) break
  }
  const lines = inReadingOrder([...items.values()]).flatMap((item) => lineOf(item, turnId) ?? [])
  let first = lines.length
  for (let room = MAX_PRIMER_CHARS; first > 0; first -= 1) {
    room -= lines[first - 1]?.length ?? 0
    if (room < 0) break
  }
  const kept = lines.slice(first)
  return kept.length === 0 ? '' : `${INTRODUCTION}\n\n${kept.join('\n\n')}\n\n---`
}

/** A prompt that waits, or that was withdrawn: the agent never had it. */
function isUnsent(item: Item): boolean {
  return item.type === 'user' && item.turnId !== undefined && item.startedSeq === undefined
}

function lineOf(item: Item, turnId: string | undefined): string | undefined {
  const isOfTurn = turnId !== undefined && item.turnId === turnId
  const message = isOfTurn || isUnsent(item) ? undefined : messageOf(item)
  if (message === undefined) return undefined
  const { role, content } = message
  if (content.type === 'tool') return `(You used a tool: ${content.title}, ${content.status})`
  if (content.type !== 'text' || content.text === '') return undefined
  return `${role === 'user' ? 'User' : 'You'}: ${content.text}`
}
