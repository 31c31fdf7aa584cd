// Refuses content that the agent has not declared to accept, which agents drop silently, or sends it as text.
import {
  acceptsContent,
  type AgentCapabilities,
  type ContentBlock,
  type DeclaredContent,
  refusedContent,
} from '@quayside/protocol'
import { HubError } from '../../errors.js'

const ADVICE: Readonly<Record<DeclaredContent, readonly [refused: string, instead: string]>> = {
  image: ['no images', 'Describe the image, or use an agent that accepts images.'],
  audio: ['no audio', 'Send the words as text.'],
  resource: ['no embedded files', 'Send the content as text, or a resource_link to the file.'],
}

/** Throws `content_not_supported`. */
export function requireAccepted(
  prompt: readonly ContentBlock[],
  { name, capabilities }: { readonly name: string; readonly capabilities: AgentCapabilities },
): void {
  const types = refusedContent(capabilities, prompt)
  if (types.length === 0) return
  const refused = types.map((type) => ADVICE[type][0]).join(' and ')
  const instead = types.map((type) => ADVICE[type][1]).join(' ')
  throw new HubError('content_not_supported', {
    message: `${name} accepts ${refused}. ${instead}`,
    types,
  })
}

/** Replaces embedded texts by plain ones, unless the agent accepts embedded files. */
export function quoteFiles(
  prompt: readonly ContentBlock[],
  capabilities: AgentCapabilities,
): readonly ContentBlock[] {
  if (acceptsContent(capabilities, 'resource')) return prompt
  return prompt.map((block) => {
    if (block.type !== 'resource' || block.resource.text === undefined) return block
    const { uri, text } = block.resource
    return { type: 'text', text: `The file ${uri}:\n\n${text}` }
  })
}
