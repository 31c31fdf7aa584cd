// Numbers as people write them, and with their nouns.
const digits = new Intl.NumberFormat('en')
const plural = new Intl.PluralRules('en')

export function inDigits(number: number): string {
  return digits.format(number)
}

export function count(number: number, one: string, many: string): string {
  return `${inDigits(number)} ${plural.select(number) === 'one' ? one : many}`
}
