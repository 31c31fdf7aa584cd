// Redacts secrets by their form: keys of well-known services, JWTs, private keys, passwords in URLs.
// Every pattern is linear: it starts only where a word starts, or has bounded repetitions.

export const REDACTED = '[redacted]'

/** A word starts here, also after the escapes of JSON, of a URL and of a terminal's colours. */
const START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,8}m))`

/** The literal comes first, because a lookbehind at every character is slow. */
function word(literal: string, rest: string): string {
  return `${literal}(?<=${START}${literal})${rest}`
}

const KEY_SHAPES = [
  // The digit distinguishes a key from words such as sk-folding-cube-container.
  word('sk-', '(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{16,}'),
  word('(?:xai|pplx|glpat|glptt|dckr_pat|pypi|GOCSPX)-', '[A-Za-z0-9_-]{20,}'),
  word('(?:sk|rk|pk|whsec)_(?:live|test|prod)_', '[A-Za-z0-9]{16,}'),
  word('(?:hf|gsk|r8|npm|fc|tvly|nvapi)[_-]', '[A-Za-z0-9]{28,}'),
  word('do[opr]_v1_', '[a-f0-9]{32,}'),
  word(String.raw`SG\.`, String.raw`[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`),
  word(String.raw`ya29\.`, '[A-Za-z0-9_-]{20,}'),
  word('eyJ', String.raw`[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*`),
  String.raw`gh[pousr]_[A-Za-z0-9]{20,}`,
  String.raw`github_pat_[A-Za-z0-9_]{20,}`,
  String.raw`AIza[A-Za-z0-9_-]{30,}`,
  String.raw`xox[abeoprs]-[A-Za-z0-9-]{10,}`,
  String.raw`xapp-[0-9]-[A-Za-z0-9-]{10,}`,
  String.raw`hooks\.slack\.com/services/[A-Za-z0-9/]{20,}`,
  String.raw`(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{16}(?![A-Za-z0-9])`,
  String.raw`AGE-SECRET-KEY-1[0-9A-Z]{20,}`,
]
const KEYS = new RegExp(KEY_SHAPES.join('|'), 'g')
/** Every key above contains one of these. Most texts contain none and need no further search. */
const KEY_HINT =
  /sk-|[spr]k_|whsec_|xai-|pplx-|glp[at]|dckr_|pypi-|GOCSPX|hf[_-]|gsk|r8[_-]|npm[_-]|fc[_-]|tvly|nvapi|do[opr]_v1|SG\.|ya29|eyJ|gh[pousr]_|github_pat|AIza|xox|xapp|slack|A[KS]IA|AGE-/
const SCHEME_HINT = /bearer|basic/i
const BEARER =
  /(?<![A-Za-z0-9])((?:Bearer|Basic)(?:[ \t]|%20|\+){1,4})([A-Za-z0-9._~+/-]{8,}={0,2})/gi
const PLAIN_WORD = /^[A-Z]?[a-z]{1,19}[.]?$/
const USER_INFO = /(:\/\/[^\s/:@"'\\]{0,64}:)(?![$<{])[^\s/@"'\\]{1,256}@/g
const KEY_BLOCK = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const KEY_BLOCK_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

export function hideShapes(text: string): string {
  let shown = hideKeyBlocks(text)
  if (KEY_HINT.test(shown)) shown = shown.replace(KEYS, REDACTED)
  if (SCHEME_HINT.test(shown))
    shown = shown.replace(BEARER, (whole: string, scheme: string, value: string) =>
      PLAIN_WORD.test(value) ? whole : scheme + REDACTED,
    )
  return shown.includes('://') ? shown.replace(USER_INFO, `$1${REDACTED}@`) : shown
}

/** A block without an end was truncated, so everything after its beginning is redacted. */
function hideKeyBlocks(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text
  let shown = ''
  let from = 0
  for (;;) {
    KEY_BLOCK.lastIndex = from
    const begin = KEY_BLOCK.exec(text)
    if (begin === null) return shown + text.slice(from)
    shown += text.slice(from, begin.index) + REDACTED
    KEY_BLOCK_END.lastIndex = KEY_BLOCK.lastIndex
    if (KEY_BLOCK_END.exec(text) === null) return shown
    from = KEY_BLOCK_END.lastIndex
  }
}
