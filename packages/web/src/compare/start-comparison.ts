// Sends one prompt to several agents.
import type { AgentChatClient, PromptInput, PromptPart } from '@quayside/client'
import type { Comparison, ContentBlock } from '@quayside/protocol'

export type ComparisonRequest = {
  readonly repoId: string
  readonly hub?: string
  readonly agents: readonly string[]
  readonly prompt: PromptInput
  readonly base?: string | undefined
  readonly makeRoom: boolean
}

export function startComparison(
  { http }: AgentChatClient,
  { prompt, base, ...request }: ComparisonRequest,
): Promise<Comparison> {
  const settings = base === undefined ? {} : { settings: { base } }
  const blocks = [prompt].flat().map(toBlock)
  return http.call('POST /api/comparisons', { ...request, ...settings, prompt: blocks })
}

/** A file is mentioned by its path, which every agent finds in its own work tree. */
function toBlock(part: PromptPart): ContentBlock {
  if (typeof part === 'string') return { type: 'text', text: part }
  if (part.type !== 'file') return part
  const lines = part.range ? `:${part.range.join('-')}` : ''
  return { type: 'text', text: part.path + lines }
}
