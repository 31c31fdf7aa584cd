// The input of a prompt, and its conversion to content blocks.
import type { ContentBlock } from '@quayside/protocol'

/** A mention of a file of the session's work tree; the agent reads it by itself. */
export type FileMention = {
  readonly type: 'file'
  /** Relative to the work tree. */
  readonly path: string
  /** The first and the last line that is meant, counted from 1. */
  readonly range?: readonly [first: number, last: number]
}

export type PromptPart = string | ContentBlock | FileMention

/** The folder of the session's work tree. */
export type Place = { readonly path: string }

/** One part or several. An uploaded picture is `{ type: 'image', mimeType, uri: media.url }`. */
export type PromptInput = PromptPart | readonly PromptPart[]

export function blocksOf(input: PromptInput, place: Place): readonly ContentBlock[] {
  return [input].flat().flatMap((part) => toBlocks(part, place))
}

function toBlocks(part: PromptPart, place: Place): ContentBlock[] {
  if (typeof part === 'string') return [{ type: 'text', text: part }]
  if (part.type !== 'file') return [part]
  const { path, range } = part
  const uri = `file://${`${place.path}/${path}`.split('/').map(encodeURIComponent).join('/')}`
  const link: ContentBlock = { type: 'resource_link', uri, name: path }
  // Agents open the address as it stands, and would not find a file whose address ends with lines.
  return range ? [{ type: 'text', text: `${path}:${range.join('-')}` }, link] : [link]
}
