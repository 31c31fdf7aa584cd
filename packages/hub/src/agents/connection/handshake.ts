// The ACP handshake: builds the params of `initialize` and reads the agent's answer.
import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { HubError } from '../../errors.js'
import { VERSION } from '../../version.js'
import type { Service } from '../extensions/settings-values.js'
import { isObject, type JsonObject } from '../../json.js'

export type AgentDescription = {
  readonly agentInfo?: JsonObject
  readonly capabilities: JsonObject
  readonly authMethods: readonly unknown[]
}

/** The agent declares an optional method of sessions. */
export function hasSessionMethod(
  { capabilities }: AgentDescription,
  name: 'resume' | 'fork' | 'close',
): boolean {
  const { sessionCapabilities } = capabilities
  return isObject(sessionCapabilities) && isObject(sessionCapabilities[name])
}

/** The params of `initialize`. Advertises only capabilities that are implemented and that the manifest offers. */
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
    clientInfo: { name: 'quayside', title: 'Quayside', version: VERSION },
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

/** An agent that reports no version is accepted; `agents check` flags it. */
function requireOurVersion(reported: unknown): void {
  if (typeof reported !== 'number' && typeof reported !== 'string') return
  if (Number.parseInt(String(reported), 10) === PROTOCOL_VERSION) return
  const version = String(reported).slice(0, 20)
  throw new HubError('agent_failed', {
    message: `The agent speaks version ${version} of the Agent Client Protocol, and this hub speaks version ${PROTOCOL_VERSION}. Use a version of the agent that speaks it, or a newer hub.`,
    protocolVersion: version,
  })
}
