// The MCP servers of a session: checks their shape before an agent sees them, and finds those that the agent cannot use.
import { acceptsMcp, type AgentCapabilities, type McpTransport } from '@quayside/protocol'
import { z } from 'zod'
import type { JsonObject } from '../../json.js'

const text = z.string('a text').min(1, 'a text')
const pair = z.looseObject({ name: text, value: z.string('a text') }, '{ "name", "value" }')
const pairs = z.array(pair, 'a list of { "name", "value" }')
const command = z.looseObject({
  command: text,
  args: z.array(z.string('a text'), 'a list of texts'),
  env: pairs,
})
const address = z.looseObject({
  url: z.url({ protocol: /^https?$/, error: 'an http or https address' }),
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

/** The transport of a server whose agent does not accept it. */
export function refusedTransport(
  { type }: JsonObject,
  capabilities: AgentCapabilities,
): string | undefined {
  if (type !== 'http' && type !== 'sse') return undefined
  return acceptsMcp(capabilities, type) ? undefined : TRANSPORTS[type]
}
