// Formats numbers, and counts with their nouns.
import { locale } from './language.js'

const digits = new Intl.NumberFormat(locale)
const tenths = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const plural = new Intl.PluralRules(locale)

export function inDigits(number: number): string {
  return digits.format(number)
}

export function inTenths(number: number): string {
  return tenths.format(number)
}

export function count(number: number, one: string, many: string): string {
  return `${inDigits(number)} ${plural.select(number) === 'one' ? one : many}`
}
