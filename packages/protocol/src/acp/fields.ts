// Objects with named fields, as parsed from JSON.

export type Fields = { readonly [field: string]: unknown }
export type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
