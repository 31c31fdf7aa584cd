// Compares command lines with the patterns of permission rules. A pattern is a line, or the beginning of one before `*`.

/** Characters that join commands, redirect their output or expand to other text. */
const CHAIN = /[;&|`$(){}<>\r\n]+/

/** A command that chains others matches only a pattern that equals it. */
export function isWholly(line: string, pattern: string): boolean {
  return line === pattern || (!CHAIN.test(line) && matches(collapseSpaces(line), pattern))
}

export function isPartly(line: string, pattern: string): boolean {
  return [line, ...line.split(CHAIN)].some((part) => matches(collapseSpaces(part), pattern))
}

/**
 * A shell may run something else than the words say: the line has quotes, variables or wildcards, names its program by a path,
 * or starts a program that runs others. Or it may mean the pattern with options in between: `git -C . push`.
 */
export function isDoubtful(line: string, pattern: string): boolean {
  const words = collapseSpaces(line).split(' ')
  const [program = ''] = words
  if (!words.every((word) => PLAIN_WORD.test(word)) || /[/=]/.test(program)) return true
  if (RUNNERS.has(program) || words.some((word) => /^-(?:exec|ok)/.test(word))) return true
  return hasInOrder(words, collapseSpaces(pattern.replace(/\*$/, '')).split(' '))
}

const PLAIN_WORD = /^[\w@%+=:,./^-]+$/

/** Programs that run the command in their arguments. */
const RUNNERS = new Set(
  (
    'sh bash dash ash zsh ksh fish csh tcsh busybox env sudo doas su command builtin exec eval source . trap ' +
    'nohup nice ionice chrt taskset time timeout watch xargs parallel setsid stdbuf strace script ssh chroot unshare'
  ).split(' '),
)

function hasInOrder(words: readonly string[], wanted: readonly string[]): boolean {
  if (words[0] !== wanted[0]) return false
  let found = 0
  for (const word of words) if (word === wanted[found]) found += 1
  return found === wanted.length
}

/** `npm test*` matches `npm test -- --watch`. */
function matches(line: string, pattern: string): boolean {
  if (line === pattern) return true
  return pattern.endsWith('*') && line.startsWith(pattern.slice(0, -1))
}

export function collapseSpaces(text: string): string {
  return text.trim().split(/\s+/).join(' ')
}

/** The words of a line or a title, without quotes, brackets and the signs of a shell. Values of options are words too. */
export function wordsOf(line: string): string[] {
  return line.split(/[\s"'`;&|(){}[\]<>=]+/).filter((word) => word !== '')
}
