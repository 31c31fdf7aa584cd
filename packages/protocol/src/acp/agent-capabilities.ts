// Reads the capabilities that an agent reported. ACP: a capability that is not declared is not supported.
import type { ContentBlock } from './acp.js'

/** As the agent reported them in its response to `initialize`. */
export type AgentCapabilities = Readonly<Record<string, unknown>>

/** Content that an agent must declare. Every agent accepts texts and links. */
export type DeclaredContent = 'image' | 'audio' | 'resource'
export type McpTransport = 'http' | 'sse'

const CONTENT = { image: 'image', audio: 'audio', resource: 'embeddedContext' } as const

export function acceptsContent(capabilities: AgentCapabilities, type: DeclaredContent): boolean {
  return isDeclared(capabilities['promptCapabilities'], CONTENT[type])
}

/** The kinds of content in a prompt that the agent does not accept, each once. */
export function refusedContent(
  capabilities: AgentCapabilities,
  prompt: readonly ContentBlock[],
): DeclaredContent[] {
  const declared = prompt.map(({ type }) => type).filter(isDeclaredContent)
  return [...new Set(declared)].filter((type) => !acceptsContent(capabilities, type))
}

/** MCP servers that run as a command (stdio) are accepted by every agent. */
export function acceptsMcp(capabilities: AgentCapabilities, transport: McpTransport): boolean {
  return isDeclared(capabilities['mcpCapabilities'], transport)
}

function isDeclaredContent(type: ContentBlock['type']): type is DeclaredContent {
  return type in CONTENT
}

function isDeclared(declared: unknown, name: string): boolean {
  return (Object(declared) as AgentCapabilities)[name] === true
}
