// Decides which parts of a tool call its decision has to show beside the title and the content.
import { commandLineOf, type ToolCall, type ToolCallLocation } from '@quayside/protocol'

/** True when a person reads every text of the input in the title or, for an edit, in its diff. Other content is the agent's own words. */
export function isInputShown({ rawInput, title, content }: ToolCall): boolean {
  const diffs = content.filter((entry) => entry.type === 'diff')
  const changed = commandLineOf(rawInput) === undefined ? diffs : []
  const shown = [
    title,
    ...changed.flatMap(({ path, oldText, newText }) => [path, oldText ?? '', newText]),
  ]
  return textsIn(rawInput).every((text) => shown.some((whole) => whole.includes(text)))
}

/** The locations that no diff of the call names. */
export function hiddenLocations({ locations, content }: ToolCall): ToolCallLocation[] {
  const paths = new Set(content.map((entry) => (entry.type === 'diff' ? entry.path : undefined)))
  return locations.filter(({ path }) => !paths.has(path))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
