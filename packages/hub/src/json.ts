// Parsed JSON of unknown shape.

export type JsonObject = { readonly [key: string]: unknown }

/** Stands for a value that is nested too deeply to be serialised. */
export const TOO_DEEP = '[nested too deeply to keep]'

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
