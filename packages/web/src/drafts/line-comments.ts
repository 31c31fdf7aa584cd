// Comments on lines of a change, which go to the agent with the next message: where, the lines themselves, and what is said.

export type LineComment = {
  readonly id: string
  readonly path: string
  /** The first and the last line, in the new file, or in the old one when all of them were removed. */
  readonly from: number
  readonly to: number
  readonly isOld: boolean
  /** As they are; with their signs when some were added or removed and others not. */
  readonly code: string
  readonly text: string
  /** The line of the review that it stands below. */
  readonly at: string
}

/** Like `src/a.ts:42-48`. */
export function locationOfComment({ path, from, to }: LineComment): string {
  return `${path}:${from === to ? from : `${from}-${to}`}`
}

/** What the agent reads: the comments in their order, then what was written besides. */
export function withLineComments(comments: readonly LineComment[], text: string): string {
  const parts = comments.map((comment) => {
    const fence = fenceFor(comment.code)
    const location = `${locationOfComment(comment)}${comment.isOld ? ' (removed)' : ''}`
    return `${location}\n${fence}\n${comment.code}\n${fence}\n${comment.text}`
  })
  return [...parts, ...(text.trim() === '' ? [] : [text])].join('\n\n')
}

/** What was kept by another version of the app may have another shape. */
export function readLineComments(kept: readonly unknown[]): readonly LineComment[] {
  return kept.filter(isLineComment)
}

function isLineComment(kept: unknown): kept is LineComment {
  const value = Object(kept) as Partial<LineComment>
  const texts = [value.id, value.path, value.code, value.text, value.at]
  const numbers = [value.from, value.to]
  return (
    texts.every((text) => typeof text === 'string') &&
    numbers.every((number) => typeof number === 'number') &&
    typeof value.isOld === 'boolean'
  )
}

/** Longer than any in the code. */
function fenceFor(code: string): string {
  const longest = [...code.matchAll(/`+/g)].reduce(
    (most, [ticks]) => Math.max(most, ticks.length),
    2,
  )
  return '`'.repeat(longest + 1)
}
