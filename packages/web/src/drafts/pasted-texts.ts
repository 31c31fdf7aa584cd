// Long texts that were pasted: they go with the message, but do not fill the field it is written in.

export type PastedText = { readonly id: string; readonly text: string }

/** Longer ones would hide what is being written. */
const MAX_INLINE_CHARS = 2_000

export function isLongPaste(text: string): boolean {
  return text.length > MAX_INLINE_CHARS
}

/** What the agent reads: what was written, then what was pasted. */
export function withPastedTexts(text: string, pasted: readonly PastedText[]): string {
  return [...(text.trim() === '' ? [] : [text]), ...pasted.map((one) => one.text)].join('\n\n')
}

/** What was kept by another version of the app may have another shape. */
export function readPastedTexts(kept: readonly unknown[]): readonly PastedText[] {
  return kept.filter(isPastedText)
}

function isPastedText(value: unknown): value is PastedText {
  const { id, text } = Object(value) as Partial<PastedText>
  return typeof id === 'string' && typeof text === 'string'
}
