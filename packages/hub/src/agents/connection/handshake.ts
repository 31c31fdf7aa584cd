// The first words between the hub and an agent: what we say of ourselves, and what an agent says of itself.
import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { HubError } from '../../errors.js'
import type { Service } from './agent-requests.js'
import { isObject, type JsonObject } from '../wire/frames.js'

export type AgentDescription = {
  readonly agentInfo?: JsonObject
  readonly capabilities: JsonObject
  readonly authMethods: readonly unknown[]
}

/** The params of `initialize`: what is advertised is what is implemented and switched on, nothing else. */
export function introduce(services: readonly Service[]): JsonObject {
  const fs = services.includes('fs')
  return {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {
      fs: { readTextFile: fs, writeTextFile: fs },
      terminal: services.includes('terminal'),
      session: { configOptions: { boolean: {} } },
      auth: { terminal: true },
      elicitation: { form: {}, url: {} },
    },
    clientInfo: { name: 'quayside', title: 'Quayside', version: '0.1.0' },
  }
}

/** Reads the answer to `initialize`. Throws `agent_failed` when the agent speaks another version of the protocol. */
export function readDescription(answer: JsonObject): AgentDescription {
  const { protocolVersion, agentInfo, agentCapabilities, authMethods } = answer
  requireOurVersion(protocolVersion)
  return {
    ...(isObject(agentInfo) ? { agentInfo } : {}),
    capabilities: isObject(agentCapabilities) ? agentCapabilities : {},
    authMethods: Array.isArray(authMethods) ? authMethods : [],
  }
}

/** One that names none is taken at its deeds; a check tells that it is missing. */
function requireOurVersion(said: unknown): void {
  if (typeof said !== 'number' && typeof said !== 'string') return
  if (Number.parseInt(String(said), 10) === PROTOCOL_VERSION) return
  const version = String(said).slice(0, 20)
  throw new HubError('agent_failed', {
    message: `The agent speaks version ${version} of the Agent Client Protocol, and this hub speaks version ${PROTOCOL_VERSION}. Use a version of the agent that speaks it, or a newer hub.`,
    protocolVersion: version,
  })
}
