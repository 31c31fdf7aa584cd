// Reads the texts of settings. An invalid one throws a ConfigError that names the setting and what is allowed.

export class ConfigError extends Error {}

/** `name` is that of the variable or the flag. */
export type Value = { readonly name: string; readonly text: string }

const DAY_MS = 24 * 60 * 60_000

export function wrong(value: Value, allowed: string): ConfigError {
  return new ConfigError(`${value.name} is "${value.text}"; allowed is ${allowed}.`)
}

export function integer(
  value: Value | undefined,
  byDefault: number,
  [min, max]: readonly [number, number],
): number {
  if (!value) return byDefault
  const number = Number(value.text)
  if (Number.isInteger(number) && number >= min && number <= max) return number
  throw wrong(value, `a whole number from ${min} to ${max}`)
}

export function seconds(value: Value | undefined, byDefault: number): number {
  if (!value) return byDefault * 1000
  const number = Number(value.text)
  if (number > 0 && number <= 86_400) return number * 1000
  throw wrong(value, 'a number of seconds above 0 and at most 86400')
}

/** Infinity when people may take as long as they like. */
export function patience(value: Value | undefined): number {
  if (!value) return DAY_MS
  const number = Number(value.text)
  if (number === 0) return Infinity
  if (number > 0 && number <= 2_000_000) return number * 1000
  throw wrong(value, 'a number of seconds, at most 2000000, or 0 to wait for ever')
}

export function minutes(value: Value | undefined, byDefault: number): number {
  if (!value) return byDefault * 60_000
  const number = Number(value.text)
  if (number > 0 && number <= 525_600) return number * 60_000
  throw wrong(value, 'a number of minutes above 0 and at most 525600')
}

export function oneOf<const T extends string>(
  value: Value | undefined,
  allowed: readonly T[],
  byDefault: T,
): T {
  if (!value) return byDefault
  const found = allowed.find((candidate) => candidate === value.text)
  if (found === undefined) throw wrong(value, `one of ${allowed.join(', ')}`)
  return found
}
