// Formats sizes of files and memory.
import { inTenths } from './plural.js'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

export function bytes(size: number): string {
  let amount = size
  let unit = 0
  while (amount >= 1_000 && unit < UNITS.length - 1) {
    amount /= 1_000
    unit += 1
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : inTenths(amount)} ${UNITS[unit]}`
}
