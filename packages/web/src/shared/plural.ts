// Numbers with their nouns.
const plural = new Intl.PluralRules('en')

export function count(number: number, one: string, many: string): string {
  return `${number} ${plural.select(number) === 'one' ? one : many}`
}
