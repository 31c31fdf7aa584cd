// Fields that schemas have in common: optional and described ones, texts that must be there, and numbers and flags in query strings.
import { z } from 'zod'

/** A field that may be absent, which is not the same as undefined; `description` is for the documents. */
export function optional<Field extends z.core.SomeType>(field: Field, description?: string) {
  const schema = z.exactOptional(field)
  return description === undefined ? schema : schema.describe(description)
}

export function described<Field extends z.ZodType>(field: Field, description: string): Field {
  return field.describe(description)
}

export function requiredText(message: string) {
  return z.string(message).min(1, message)
}

/** In a query string, where everything is text. */
export function wholeNumber(name: string, min: number, max: number) {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`
  const message = `${name} is a whole number ${range}.`
  return z
    .string()
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
}

/** In a query string. */
export function flag(name: string, whenAbsent: 'true' | 'false') {
  return z
    .enum(['true', 'false'], `${name} is true or false.`)
    .default(whenAbsent)
    .transform((value) => value === 'true')
}

/** A rule for inputs that must have at least one key of the shape. */
export function hasSome(shape: object): (input: object) => boolean {
  return (input) => Object.keys(shape).some((key) => key in input)
}
