// Describes faults in an agent's answers to `initialize` and `session/new`, in sentences. Pure.
import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { isObject, type JsonObject } from '../../json.js'

export function initializeFaults(answer: JsonObject): string[] {
  const { protocolVersion, agentCapabilities, agentInfo, authMethods } = answer
  return [
    ...(protocolVersion === PROTOCOL_VERSION
      ? []
      : [`speaks protocol version ${shown(protocolVersion)}, not ${PROTOCOL_VERSION}`]),
    ...(isObject(agentCapabilities) ? [] : ['reports no capabilities']),
    ...(agentInfo === undefined || agentInfo === null || isNamed(agentInfo)
      ? []
      : ['its agentInfo lacks a name or a version']),
    ...authFaults(authMethods),
  ]
}

export function newSessionFaults(answer: JsonObject): string[] {
  const { sessionId, modes, configOptions } = answer
  const hasId = typeof sessionId === 'string' && sessionId !== ''
  return [
    ...(hasId ? [] : ['opened a session without an id']),
    ...(modes === undefined || modes === null ? [] : modeFaults(modes)),
    ...(configOptions === undefined || configOptions === null ? [] : optionFaults(configOptions)),
  ]
}

function isNamed(info: unknown): boolean {
  return isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string'
}

function authFaults(methods: unknown): string[] {
  if (methods === undefined || methods === null) return []
  if (!Array.isArray(methods)) return ['its authMethods are not a list']
  const isWhole = (method: unknown): boolean =>
    isObject(method) && typeof method['id'] === 'string' && typeof method['name'] === 'string'
  return methods.every(isWhole) ? [] : ['a sign-in method lacks an id or a name']
}

function modeFaults(modes: unknown): string[] {
  const { availableModes, currentModeId } = isObject(modes) ? modes : {}
  if (!Array.isArray(availableModes)) return ['its modes lack availableModes']
  return availableModes.filter(isObject).some(({ id }) => id === currentModeId)
    ? []
    : [`its current mode ${shown(currentModeId)} is not one of its modes`]
}

function optionFaults(options: unknown): string[] {
  if (!Array.isArray(options)) return ['its configOptions are not a list']
  return options.flatMap((option: unknown) => {
    if (!isObject(option) || typeof option['id'] !== 'string') return ['an option lacks an id']
    const { id, type, currentValue, options: choices } = option
    if (type !== 'select' || !Array.isArray(choices)) return []
    const values = choices.filter(isObject).flatMap(valuesOf)
    return values.includes(currentValue)
      ? []
      : [`the value ${shown(currentValue)} of its option "${id}" is not one of its choices`]
  })
}

/** Choices may be grouped. */
function valuesOf({ value, options }: JsonObject): unknown[] {
  return Array.isArray(options) ? options.filter(isObject).map((inner) => inner['value']) : [value]
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 60)
}
