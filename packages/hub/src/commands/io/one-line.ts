// Shortens text from an agent or a person to one line that is safe for a terminal.
import { escapeInvisible } from '@quayside/protocol'

const MAX_CHARS = 100

export function oneLine(text: string): string {
  const line = escapeInvisible(text.replaceAll(/\s+/g, ' ').trim())
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1)}…` : line
}
