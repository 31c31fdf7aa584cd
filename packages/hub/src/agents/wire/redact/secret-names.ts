// Recognises names of secrets: keys of objects, environment variables, headers, flags. Used by redact.ts.

/** The ends of secret names. Every repetition is bounded, because the texts come from agents. */
export const SECRET_NAME_END = [
  'authorization',
  'api[ _-]?key',
  '(?:access|private|secret|signing|encryption|account|master|subscription|auth|ssh|deploy|license)[_-]?key',
  'token',
  'secrets?',
  'passwords?',
  'passwd',
  'passphrase',
  'passcode',
  '[_-]pass',
  '[_-]pwd',
  'credentials?',
  'cookies?',
  'connection[_-]?string',
  'code[_-]?verifier',
  'device[_-]?code',
  '_auth',
  '_key',
  '_pat',
  '_dsn',
].join('|')

const ENDS_SECRET = new RegExp(`(?:${SECRET_NAME_END})$`, 'i')
const ENDS_OF_VARIABLES = /_(?:key|pat|dsn|auth)$/i
/** `_KEY` at the end of a variable is a secret, `primary_key` in a text is not. */
const SECRET_VARIABLE = /^(?!.*(?:PUBLIC|PRIMARY|FOREIGN|CACHE|SORT|PARTITION|HOT)_KEY$)[A-Z0-9_]+$/
const LONG_KEY =
  /(?:api|access|private|secret|signing|encryption|account|master|subscription|auth|ssh|deploy|license)_key$/i
/** Tokens that are not credentials: of paging, progress, cancelling, tokenizers and design systems. */
const HARMLESS_TOKEN =
  /(?:progress|page|cancel|cancellation|continuation|next|sync|design|stop|start|pad|bos|eos|mask|special)[_-]?token$/i
const MAX_NAME_CHARS = 64
/** A cache, because frames repeat the same few names. */
const remembered = new Map<string, boolean>()
const MAX_REMEMBERED = 2_000

/** True for `apiKey`, `X_API_KEY`, `set-cookie`, `GITHUB_TOKEN`; false for `maxTokens`, `publicKey`, `sessionId`. */
export function isSecretName(name: string): boolean {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const isSecret = decide(name.length > MAX_NAME_CHARS ? name.slice(-MAX_NAME_CHARS) : name)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  if (name.length <= MAX_NAME_CHARS) remembered.set(name, isSecret)
  return isSecret
}

function decide(end: string): boolean {
  if (end === 'pass' || end === 'jwt' || end === '_auth') return true
  if (!ENDS_SECRET.test(end) || HARMLESS_TOKEN.test(end)) return false
  if (!ENDS_OF_VARIABLES.test(end) || LONG_KEY.test(end)) return true
  return SECRET_VARIABLE.test(end)
}

/** The longest name that ends at `end`. */
export function nameBefore(text: string, end: number): string {
  let start = end
  while (start > 0 && end - start < MAX_NAME_CHARS && isNameChar(text.charCodeAt(start - 1)))
    start -= 1
  return text.slice(start, end)
}

function isNameChar(code: number): boolean {
  const isDigit = code >= 48 && code <= 57
  const isUpper = code >= 65 && code <= 90
  const isLower = code >= 97 && code <= 122
  return isDigit || isUpper || isLower || code === 95 || code === 45 || code === 46
}
