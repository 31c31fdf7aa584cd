// Parses a truncated JSON text: reads up to the cut and closes open strings and brackets.

type Scan = {
  /** The missing closing brackets, innermost last. */
  readonly open: string[]
  /** For every open bracket: true for an object that expects a key. */
  readonly awaitsKey: boolean[]
  /** Up to here the text is complete except for closing brackets. */
  good: number
  /** Start of an open string; -1 outside of strings. */
  string: number
}

const UNFINISHED_ESCAPE = /\\(?:u[0-9A-Fa-f]{0,3})?$/

/** The value up to the cut; undefined when the text is not JSON. A truncated string ends with `…`. */
export function parseJsonHead(head: string): unknown {
  const scan: Scan = { open: [], awaitsKey: [], good: 0, string: -1 }
  for (let at = 0; at < head.length; at += 1) {
    if (scan.string === -1) readStructure(scan, head.charAt(at), at)
    else if (head[at] === '\\') at += 1
    else if (head[at] === '"') endString(scan, at)
  }
  const closing = scan.open.toReversed().join('')
  const isCutValue = scan.string !== -1 && scan.awaitsKey.at(-1) !== true
  const complete = isCutValue ? `${endOfCutString(head)}…"` : head.slice(0, scan.good)
  try {
    return JSON.parse(complete + closing)
  } catch {
    return undefined
  }
}

function readStructure(scan: Scan, char: string, at: number): void {
  if (char === '"') scan.string = at
  else if (char === '{' || char === '[') {
    scan.open.push(char === '{' ? '}' : ']')
    scan.awaitsKey.push(char === '{')
    scan.good = at + 1
  } else if (char === '}' || char === ']') {
    scan.open.pop()
    scan.awaitsKey.pop()
    scan.good = at + 1
  } else if (char === ',') {
    scan.good = at
    if (scan.open.at(-1) === '}') scan.awaitsKey[scan.awaitsKey.length - 1] = true
  }
}

function endString(scan: Scan, at: number): void {
  scan.string = -1
  if (scan.awaitsKey.at(-1) === true) scan.awaitsKey[scan.awaitsKey.length - 1] = false
  else scan.good = at + 1
}

/** An odd number of backslashes at the end begins an escape. */
function endOfCutString(head: string): string {
  const found = UNFINISHED_ESCAPE.exec(head.slice(-6))
  if (found === null) return head
  const start = head.length - found[0].length
  let before = 0
  while (head[start - 1 - before] === '\\') before += 1
  return before % 2 === 0 ? head.slice(0, start) : head
}
