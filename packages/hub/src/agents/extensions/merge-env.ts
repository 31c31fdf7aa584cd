// Merges a JSON object of a manifest into the variable of the same name in the hub's environment.
import { HubError } from '../../errors.js'
import { isObject, type JsonObject } from '../../json.js'

/**
 * Keeps everything that a person has configured in the variable, except for the very keys of the manifest: they come from a
 * setting, such as asking before edits, which must not be lost to a variable that the person who chose it may not know.
 * Throws `invalid_settings` when the variable holds no JSON object.
 */
export function mergeVariable(name: string, ofManifest: string, inherited: string): string {
  const theirs = parseObject(inherited)
  const ours = parseObject(ofManifest)
  if (ours === undefined) return ofManifest
  if (theirs === undefined)
    throw new HubError('invalid_settings', {
      message: `${name} in the hub's environment is not a JSON object. Correct it: settings are added to it.`,
      env: name,
    })
  return JSON.stringify(merge(theirs, ours))
}

function merge(under: JsonObject, over: JsonObject): JsonObject {
  const merged = Object.entries(over).map(([key, value]) => {
    const below = under[key]
    return [key, isObject(value) && isObject(below) ? merge(below, value) : value] as const
  })
  return { ...under, ...Object.fromEntries(merged) }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
