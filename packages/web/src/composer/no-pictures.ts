// The reason why pictures cannot be sent to an agent.
import { acceptsContent, type AgentCapabilities } from '@quayside/protocol'
import { strings } from '../strings/strings.js'

/** Undefined for an agent that accepts pictures, or whose capabilities are not known yet: then the hub decides. */
export function noPicturesOf(
  capabilities: AgentCapabilities | null | undefined,
  agentName: string,
): string | undefined {
  const isRefused = capabilities && !acceptsContent(capabilities, 'image')
  return isRefused ? strings.session.noPictures(agentName) : undefined
}
