// Formats the cost of a session.
import type { Usage } from '@quayside/protocol'
import { locale } from './language.js'

/** Amounts of less than a few cents need more digits. */
const SMALL = 0.1

export function price({ amount, currency }: NonNullable<Usage['cost']>): string {
  // An agent may report an unknown currency.
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount}`
  const digits = amount < SMALL ? { maximumFractionDigits: 4 } : {}
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(amount)
}
