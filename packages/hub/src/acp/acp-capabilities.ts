// The hub as ACP clients see it when they connect.
import { type InitializeResponse, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'

/** The SDK's types do not know it yet. */
const FORK = { fork: {} }

/** The hub's capabilities. It serves files and terminals itself and never asks a client for them. */
export function describeHub(version: string): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'quayside', title: 'Quayside', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {}, ...FORK },
    },
    authMethods: [],
  }
}
