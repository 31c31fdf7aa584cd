// The first prompt of a session that continues an earlier one, as a draft that can be edited.
import { finalText, type Item } from '@quayside/protocol'
import { strings } from '../../strings/strings.js'

const words = strings.session

const MAX_CHARS = 6_000
const MAX_SAID_CHARS = 1_000

/** The prompts and answers; only the newest when there are too many. */
export function continueText(title: string, items: readonly Item[]): string {
  const messages = items.flatMap((item) => {
    if (item.type !== 'user' || item.waiting || item.turnId === undefined) return []
    const answer = finalText(items, item.turnId).trim()
    return [
      words.youSaid(cut(item.text.trim())),
      ...(answer === '' ? [] : [words.agentSaid(cut(answer))]),
    ]
  })
  let left = MAX_CHARS
  const kept = messages.toReversed().filter((text) => (left -= text.length) >= 0)
  return words.continueFrom(title, kept.toReversed().join('\n'))
}

function cut(text: string): string {
  return text.length <= MAX_SAID_CHARS ? text : `${text.slice(0, MAX_SAID_CHARS)}…`
}
