// Splits the titles of Gemini CLI's commands: `ls -F [current working directory /src] (List the files)`.
// For display only: no permission or route depends on the result.
import { plainTitle } from '../text/session-title.js'

export type ShownAround = {
  /** The last balanced group of parentheses. */
  readonly description?: string
  readonly workingDir?: string
}
export type ToolTitle = ShownAround & {
  /** The rest of the title. */
  readonly text: string
}

const WORKING_DIR = '[current working directory '
/** The beginning of a shell call's first content in Gemini CLI 0.61; its output replaces it later. */
const CONTENT_STARTS = [WORKING_DIR, '[in ']

/** Never throws, and takes linear time for any title. */
export function readToolTitle(title: string): ToolTitle {
  const { rest, shown } = splitTitle(title)
  return { text: plainTitle(rest), ...shown }
}

/** The same without the text. */
export function readShown(title: string): ShownAround {
  // Most titles have neither.
  return /[)\]]/.test(title) ? splitTitle(title).shown : {}
}

/** From a call's first content, if it is such a line and not output. */
export function readToolContent(text: string): ShownAround | undefined {
  const word = CONTENT_STARTS.find((start) => text.startsWith(start))
  return word && !text.includes('\n') ? splitAround(text, 0, word).shown : undefined
}

type SplitTitle = { readonly rest: string; readonly shown: ShownAround }

function splitTitle(title: string): SplitTitle {
  return splitAround(title, title.indexOf(WORKING_DIR), WORKING_DIR)
}

function splitAround(title: string, start: number, word: string): SplitTitle {
  const end = start < 0 ? -1 : closingBracket(title, start)
  if (end < 0) return splitDescription(title)
  const workingDir = title.slice(start + word.length, end).trim()
  const { rest, shown } = splitDescription(title.slice(0, start) + title.slice(end + 1))
  return { rest, shown: workingDir ? { ...shown, workingDir } : shown }
}

function splitDescription(title: string): SplitTitle {
  const group = lastGroup(title)
  const description = group && title.slice(group.open + 1, group.close).trim()
  if (!group || !description) return { rest: title, shown: {} }
  return {
    rest: title.slice(0, group.open) + title.slice(group.close + 1),
    shown: { description },
  }
}

/** The group that closes last, with everything nested in it. */
function lastGroup(text: string): { readonly open: number; readonly close: number } | undefined {
  const opened: number[] = []
  let group: { open: number; close: number } | undefined
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') opened.push(at)
    const open = text[at] === ')' ? opened.pop() : undefined
    if (open !== undefined) group = { open, close: at }
  }
  return group
}

/** The position where the bracket at `start` closes; a folder's name may contain brackets. */
function closingBracket(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1
    else if (text[at] === ']') depth -= 1
    if (depth === 0) return at
  }
  return text.indexOf(']', start)
}
