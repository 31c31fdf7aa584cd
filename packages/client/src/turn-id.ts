// Ids for prompts, made here so that a prompt sent twice is one turn: UUIDs of version 7, as the hub makes them.

/** `crypto.randomUUID` does not exist on pages served over plain HTTP; this works everywhere. */
export function newTurnId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const time = Date.now().toString(16).padStart(12, '0')
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = (8 + ((bytes[8] ?? 0) & 3)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
