// Describes an agent's capabilities and sign-in methods for people. Pure.
import type { SignInMethod } from '@quayside/protocol/schemas'
import { isObject, type JsonObject } from '../../json.js'

const PROMPT_WORDS = {
  image: 'takes pictures',
  audio: 'takes sound',
  embeddedContext: 'takes files inside of prompts',
}
const SESSION_WORDS = {
  resume: 'resumes earlier sessions',
  list: 'lists its sessions',
  fork: 'forks sessions',
  close: 'closes sessions',
  delete: 'deletes sessions',
  additionalDirectories: 'works in several folders',
}
const MCP_WORDS = { http: 'MCP servers over HTTP', sse: 'MCP servers over SSE' }

export function abilitiesOf(capabilities: JsonObject): string[] {
  const { loadSession, promptCapabilities, sessionCapabilities, mcpCapabilities, auth } =
    capabilities
  return [
    ...(loadSession === true ? ['loads earlier sessions'] : []),
    ...wordsFor(sessionCapabilities, SESSION_WORDS),
    ...wordsFor(promptCapabilities, PROMPT_WORDS),
    ...wordsFor(mcpCapabilities, MCP_WORDS),
    ...wordsFor(auth, { logout: 'signs out' }),
  ]
}

/** A capability is `true` or an object. */
function wordsFor(offered: unknown, words: Readonly<Record<string, string>>): string[] {
  if (!isObject(offered)) return []
  return Object.entries(words)
    .filter(([name]) => offered[name] === true || isObject(offered[name]))
    .map(([, word]) => word)
}

export function signInMethodsOf(methods: readonly unknown[]): SignInMethod[] {
  return methods.filter(isObject).flatMap((method) => {
    const { id, name, description } = method
    if (typeof id !== 'string') return []
    const variables = variablesOf(method)
    return {
      id,
      name: typeof name === 'string' ? name : id,
      ...(typeof description === 'string' ? { description } : {}),
      how: howOf(method),
      ...(variables.length === 0 ? {} : { variables }),
    }
  })
}

function howOf({ type }: JsonObject): SignInMethod['how'] {
  if (type === 'terminal') return 'terminal'
  // Removed from ACP; codex-acp 0.16 still sends it.
  return type === 'env_var' ? 'environment' : 'agent'
}

function variablesOf({ vars, varName }: JsonObject): string[] {
  const names = Array.isArray(vars)
    ? vars.map((entry: unknown) => (isObject(entry) ? entry['name'] : entry))
    : [varName]
  return names.filter((name) => typeof name === 'string')
}
