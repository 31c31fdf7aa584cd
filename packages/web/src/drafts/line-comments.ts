// Comments on changed lines, which are sent to the agent with the next message: location, code and comment.

export type LineComment = {
  readonly id: string
  readonly path: string
  /** The first and last line number: in the new file, or in the old file when every line was removed. */
  readonly from: number
  readonly to: number
  readonly isOld: boolean
  /** The code; with diff signs when only some of the lines were added or removed. */
  readonly code: string
  readonly text: string
  /** The key of the review row that the comment follows. */
  readonly at: string
}

/** For example `src/a.ts:42-48`. */
export function locationOfComment({ path, from, to }: LineComment): string {
  return `${path}:${from === to ? from : `${from}-${to}`}`
}

/** The prompt text: the comments in order, then the message. */
export function withLineComments(comments: readonly LineComment[], text: string): string {
  const parts = comments.map((comment) => {
    const fence = fenceFor(comment.code)
    const location = `${locationOfComment(comment)}${comment.isOld ? ' (removed)' : ''}`
    return `${location}\n${fence}\n${comment.code}\n${fence}\n${comment.text}`
  })
  return [...parts, ...(text.trim() === '' ? [] : [text])].join('\n\n')
}

/** Another version of the app may have stored another format. */
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

/** A fence that is longer than any in the code. */
function fenceFor(code: string): string {
  const longest = [...code.matchAll(/`+/g)].reduce(
    (most, [ticks]) => Math.max(most, ticks.length),
    2,
  )
  return '`'.repeat(longest + 1)
}
