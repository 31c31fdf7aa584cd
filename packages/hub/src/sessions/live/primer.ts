// The conversation so far as text, for an agent that cannot restore its memory of it.
import type { Message } from '@quayside/protocol'

const MAX_PRIMER_CHARS = 32 * 1024

const INTRODUCTION =
  'You are continuing a conversation whose memory you have lost. This is what was said so far, oldest first. ' +
  'Files you changed are as you left them. Answer only what comes after it.'

/** The newest messages that fit. Empty for a session without messages. */
export function primerText(messages: readonly Message[]): string {
  const lines: string[] = []
  let length = 0
  for (const message of messages.toReversed()) {
    const line = lineOf(message)
    if (line === undefined) continue
    length += line.length
    if (length > MAX_PRIMER_CHARS) break
    lines.push(line)
  }
  return lines.length === 0 ? '' : `${INTRODUCTION}\n\n${lines.toReversed().join('\n\n')}\n\n---`
}

function lineOf({ role, content }: Message): string | undefined {
  if (content.type === 'tool') return `(You used a tool: ${content.title}, ${content.status})`
  if (content.type !== 'text' || content.text === '') return undefined
  return `${role === 'user' ? 'User' : 'You'}: ${content.text}`
}
