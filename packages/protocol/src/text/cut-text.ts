// Texts of which an event holds a part because all of them became media: what the hub writes at the cut, and what a page reads there.

export type CutText = {
  /** Without the line that says so. */
  readonly text: string
  readonly is: 'beginning' | 'end'
  /** Where all of it is. */
  readonly media: string
  readonly bytes: number
}

const LINE = String.raw`\[… cut here; all (\d{1,15}) bytes: (/media/[\w-]+)\]`
const AT_BEGINNING = new RegExp(`^${LINE}\n`)
const AT_END = new RegExp(`\n${LINE}$`)
/** No line at a cut is longer. */
const MAX_LINE_CHARS = 200

export function writeCut({ text, is, media, bytes }: CutText): string {
  const line = `[… cut here; all ${bytes} bytes: ${media}]`
  return is === 'beginning' ? `${text}\n${line}` : `${line}\n${text}`
}

/** Undefined for a text that is whole. Agents can write such a line too: it never leads anywhere but to media of this hub. */
export function readCut(text: string): CutText | undefined {
  const first = AT_BEGINNING.exec(text.slice(0, MAX_LINE_CHARS))
  if (first) return { text: text.slice(first[0].length), is: 'end', ...placeOf(first) }
  const last = AT_END.exec(text.slice(-MAX_LINE_CHARS))
  if (last) return { text: text.slice(0, -last[0].length), is: 'beginning', ...placeOf(last) }
  return undefined
}

function placeOf([, bytes, media = '']: RegExpExecArray): Pick<CutText, 'media' | 'bytes'> {
  return { media, bytes: Number(bytes) }
}
