// Reads a time such as 90s, 10m or 1h as milliseconds.
import { InvalidArgumentError } from 'commander'

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }
/** The longest time that a Node timer supports. */
const MAX_TIME_MS = 2 ** 31 - 1

export function readTime(value: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(value) ?? []
  const ms = Number(number) * (UNITS[unit || 's'] ?? Number.NaN)
  if (ms > 0 && ms <= MAX_TIME_MS) return ms
  throw new InvalidArgumentError('Use a time such as 90s, 10m or 1h, at most 24 days.')
}
