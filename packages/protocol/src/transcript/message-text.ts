// The text of a message that a person can search: without the names and ids of its JSON.
import type { MessageContent } from './message-schemas.js'

export function messageText(content: MessageContent): string {
  switch (content.type) {
    case 'text':
    case 'thought':
    case 'status':
    case 'error':
      return content.text
    case 'permission':
      return content.title
    case 'tool':
      return [content.title, ...textsIn(content.args), ...textsIn(content.result)].join('\n')
    case 'plan':
      return [...textsIn(content.steps)].join('\n')
    default:
      return ''
  }
}

const MAX_DEPTH = 8
/** ACP's own words in contents and plans. */
const UNREAD_KEYS: ReadonlySet<string> = new Set(['type', 'status', 'priority', 'mimeType'])

function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
    for (const [key, part] of Object.entries(value))
      if (!UNREAD_KEYS.has(key)) yield* textsIn(part, depth + 1)
}
