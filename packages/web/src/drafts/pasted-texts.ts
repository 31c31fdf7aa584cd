// Long pasted texts: sent with the message without filling the field.

export type PastedText = { readonly id: string; readonly text: string }

/** A longer text would hide the message that is being written. */
const MAX_INLINE_CHARS = 2_000

export function isLongPaste(text: string): boolean {
  return text.length > MAX_INLINE_CHARS
}

/** The prompt text: the message, then the pasted texts. */
export function withPastedTexts(text: string, pasted: readonly PastedText[]): string {
  return [...(text.trim() === '' ? [] : [text]), ...pasted.map((one) => one.text)].join('\n\n')
}

/** Another version of the app may have stored another format. */
export function readPastedTexts(kept: readonly unknown[]): readonly PastedText[] {
  return kept.filter(isPastedText)
}

function isPastedText(value: unknown): value is PastedText {
  const { id, text } = Object(value) as Partial<PastedText>
  return typeof id === 'string' && typeof text === 'string'
}
