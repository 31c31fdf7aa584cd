// The conversation so far as text, for an agent that cannot restore its memory of it.
import { type Item, type MessageBody, messageOf } from '@quayside/protocol'

const MAX_PRIMER_CHARS = 32 * 1024

const INTRODUCTION =
  'You are continuing a conversation whose memory you have lost. This is what was said so far, oldest first. ' +
  'Files you changed are as you left them. Answer only what comes after it.'

/** The newest messages that fit, of turns that ran before `turnId`. Empty for a session without messages. */
export async function primerText(
  items: AsyncIterable<{ readonly item: Item }>,
  turnId: string,
): Promise<string> {
  const lines: string[] = []
  let length = 0
  for await (const { item } of items) {
    const line = item.turnId === turnId || isUnsent(item) ? undefined : lineOf(messageOf(item))
    if (line === undefined) continue
    lines.push(line)
    length += line.length
    while (length > MAX_PRIMER_CHARS) length -= lines.shift()?.length ?? length
  }
  return lines.length === 0 ? '' : `${INTRODUCTION}\n\n${lines.join('\n\n')}\n\n---`
}

/** A prompt that waits, or that was withdrawn: the agent never had it. */
function isUnsent(item: Item): boolean {
  return item.type === 'user' && item.turnId !== undefined && item.startedSeq === undefined
}

function lineOf(message: MessageBody | undefined): string | undefined {
  if (message === undefined) return undefined
  const { role, content } = message
  if (content.type === 'tool') return `(You used a tool: ${content.title}, ${content.status})`
  if (content.type !== 'text' || content.text === '') return undefined
  return `${role === 'user' ? 'User' : 'You'}: ${content.text}`
}
