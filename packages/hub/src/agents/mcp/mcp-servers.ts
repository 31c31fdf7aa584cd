// The MCP servers of a session: checks their shape before an agent sees them, and finds those that the agent cannot use.
import { acceptsMcp, type AgentCapabilities, type McpTransport } from '@quayside/protocol'
import { z } from 'zod'
import type { JsonObject } from '../../json.js'
import { hasPlaceholder, isPlaceholder } from './mcp-secrets.js'

const string = z.string({
  error: ({ input }) =>
    isPlaceholder(input) ? 'not stored here: send the value itself' : 'a text',
})
const text = string.min(1, 'a text')
const pair = z.looseObject({ name: text, value: string }, '{ "name", "value" }')
const pairs = z.array(pair, 'a list of { "name", "value" }')
const command = z.looseObject({
  command: text,
  args: z.array(string, 'a list of texts'),
  env: pairs,
})
const address = z.looseObject({
  url: string.pipe(z.url({ protocol: /^https?$/, error: 'an http or https address' })),
  headers: pairs,
})

const SHAPES = new Map<unknown, z.ZodType>([
  [undefined, command],
  ['stdio', command],
  ['http', address],
  ['sse', address],
])
const TRANSPORTS: Readonly<Record<McpTransport, string>> = { http: 'HTTP', sse: 'SSE' }

/** One sentence for each server that is not as ACP describes it. */
export function problemsOfServers(servers: readonly JsonObject[]): string[] {
  return servers.flatMap(({ type, name, ...server }) => {
    const shape = SHAPES.get(type)
    if (shape === undefined)
      return [`mcpServers: the type of ${String(name)} is http or sse, or absent for a command.`]
    const { error } = shape.safeParse(server)
    const faults = error?.issues.map(({ path, message }) => `${path.join('.')} is ${message}`)
    return faults === undefined ? [] : [`mcpServers: in ${String(name)}, ${faults.join(', ')}.`]
  })
}

/** Explains why an agent works without a server. Undefined for a server that it can use. */
export function explainRefusal(
  server: JsonObject,
  agent: { readonly name: string; readonly capabilities: AgentCapabilities },
): string | undefined {
  const { type, name } = server
  if (hasPlaceholder(server))
    return `The secrets of the MCP server ${String(name)} are not stored on this hub, so ${agent.name} works without it. Set the MCP servers of the session again.`
  if ((type !== 'http' && type !== 'sse') || acceptsMcp(agent.capabilities, type)) return undefined
  return `${agent.name} accepts no MCP servers over ${TRANSPORTS[type]}, so it works without ${String(name)}. Use a server that runs as a command, or another agent.`
}
