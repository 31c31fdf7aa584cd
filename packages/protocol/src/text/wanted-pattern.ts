// The text that a person wants to find, as a pattern for hub and page: upper and lower case are the same, and so are all spaces.

/** Undefined for a text without any letter, digit or sign. Use it with `matchAll`. */
export function wantedPattern(wanted: string): RegExp | undefined {
  const parts = wanted.split(/\s+/).filter((part) => part !== '')
  if (parts.length === 0) return undefined
  return new RegExp(parts.map(escaped).join(String.raw`\s+`), 'giu')
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
}
