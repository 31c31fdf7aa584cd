// What a new session is told of the one before it, as a draft that a person can change before it is sent.
import { finalText, type Item } from '@quayside/protocol'
import { strings } from '../../strings/strings.js'

const words = strings.session

const MAX_CHARS = 6_000
const MAX_SAID_CHARS = 1_000

/** The prompts and answers, the newest ones when there are too many. */
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
