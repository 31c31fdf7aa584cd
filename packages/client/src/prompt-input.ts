// What a prompt may be made of, and as what it is sent.
import type { ContentBlock } from '@quayside/protocol'

/** Text, a content block, or several of both. An uploaded picture is `{ type: 'image', mimeType, uri: media.url }`. */
export type PromptInput = string | ContentBlock | readonly (string | ContentBlock)[]

export function blocksOf(input: PromptInput): readonly ContentBlock[] {
  const parts = typeof input === 'string' || !isList(input) ? [input] : input
  return parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part))
}

// `Array.isArray` does not see through readonly arrays.
function isList(input: Exclude<PromptInput, string>): input is readonly (string | ContentBlock)[] {
  return Array.isArray(input)
}
