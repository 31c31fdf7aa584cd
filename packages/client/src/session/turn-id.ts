// Ids for prompts, made here so that a prompt sent twice is one turn: UUIDs of version 7, as the hub makes them.

/** `crypto.randomUUID` does not exist on pages served over plain HTTP; this works everywhere. */
export function newTurnId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  // Eleven digits from 2004 to 2527.
  const time = `0${Date.now().toString(16)}`
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6)}`
}
