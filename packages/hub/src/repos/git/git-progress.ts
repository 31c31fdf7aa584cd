// Reads the progress that git writes to stderr, such as "Updating files:  43% (860/2000)". Each report overwrites the one before.

export type GitProgress = { readonly done: number; readonly total: number }

const REPORT = /\d{1,3}% \((\d+)\/(\d+)\)/

/** The latest report in a part of the output. */
export function readProgress(text: string): GitProgress | undefined {
  const last = text.split(/[\r\n]/).findLast((line) => REPORT.test(line))
  const [, done, total] = REPORT.exec(last ?? '') ?? []
  return done === undefined ? undefined : { done: Number(done), total: Number(total) }
}

/** The messages alone. */
export function withoutProgress(text: string): string {
  const lines = text.split(/[\r\n]/).filter((line) => !REPORT.test(line))
  return lines.join('\n').trim()
}
