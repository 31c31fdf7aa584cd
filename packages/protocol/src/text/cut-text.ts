// Truncated texts whose whole became media: writes and reads the line at the cut that links to it.

export type CutText = {
  /** The text without the line at the cut. */
  readonly text: string
  readonly is: 'beginning' | 'end'
  /** The address of the whole text. */
  readonly media: string
  readonly bytes: number
}

const LINE = String.raw`\[… cut here; all (\d{1,15}) bytes: (/media/[\w-]+)\]`
const AT_BEGINNING = new RegExp(`^${LINE}\n`)
const AT_END = new RegExp(`\n${LINE}$`)
/** The longest line at a cut. */
const MAX_LINE_CHARS = 200

export function writeCut({ text, is, media, bytes }: CutText): string {
  const line = `[… cut here; all ${bytes} bytes: ${media}]`
  return is === 'beginning' ? `${text}\n${line}` : `${line}\n${text}`
}

/** Undefined for a complete text. An agent can write such a line too; it only ever links to media of this hub. */
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
