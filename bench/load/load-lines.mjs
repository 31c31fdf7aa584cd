// The load: `session/update` lines that are built once and numbered in place, so that writing them costs the agent little.

const DIGITS = 9
/** Stands for the number of a line, and for that of the line before it. */
const OWN = '000000000'
const PREVIOUS = '111111111'
const TEXT_CHARS = 120
const REPEATS = 13

/** Twenty updates of each kind of load. */
const ROUNDS = {
  text: () => Array.from({ length: 20 }, () => said(TEXT_CHARS)),
  mixed: mixedRound,
  tools: () => Array.from({ length: 10 }, () => [toolCall(), toolOutput()]).flat(),
}
export const LOADS = Object.keys(ROUNDS)

/** `count` lines of a kind of load as a sequence of blocks, each valid until the next is requested. */
export function* blocksOf(kind, sessionId, count) {
  const updates = Array.from({ length: REPEATS }, () => ROUNDS[kind]()).flat()
  const block = new Block(updates.map((update) => toLine(sessionId, update)))
  for (let written = 0; written < count; written += block.size)
    yield block.number(written + 1, Math.min(block.size, count - written))
}

/** The bytes of `count` lines. */
export function bytesOf(kind, count) {
  let bytes = 0
  for (const block of blocksOf(kind, 'load-1', count)) bytes += block.length
  return bytes
}

/** The updates of a kind of load, as the hub stores them, for sessions that are written without an agent. */
export function* updatesOf(kind, count) {
  for (const block of blocksOf(kind, 'load-1', count))
    for (const line of block.toString().trimEnd().split('\n')) yield JSON.parse(line).params.update
}

/** One line with this many characters of text. */
export function chunkLine(sessionId, chars) {
  return toLine(sessionId, chunk('agent_message_chunk', 'word '.repeat(chars / 5)))
}

/** The number of every line found in a text, in order. Each line holds one `~number~`. */
export function numbersIn(text) {
  return text.match(/~\d{9}~/g)?.map((mark) => Number(mark.slice(1, -1))) ?? []
}

/** A line with the time of its writing, by the clock that all processes of a machine share. */
export function timedLine(sessionId) {
  return toLine(sessionId, chunk('agent_message_chunk', `@${process.hrtime.bigint()}@ `))
}

/** The ages of the timed lines in a text, in milliseconds. */
export function agesIn(text) {
  const now = process.hrtime.bigint()
  const marks = text.match(/@\d+@/g) ?? []
  return marks.map((mark) => Number(now - BigInt(mark.slice(1, -1))) / 1e6)
}

/** Twenty updates of a typical turn: thoughts, a plan, a tool call and text. */
function mixedRound() {
  const entry = { content: `~${OWN}~ read, change, test`, priority: 'high', status: 'in_progress' }
  const rest = { content: 'write down what was done', priority: 'low', status: 'pending' }
  return [
    { sessionUpdate: 'plan', entries: [entry, rest] },
    ...Array.from({ length: 4 }, () => chunk('agent_thought_chunk', words(60))),
    toolCall(),
    toolCallUpdate(),
    ...Array.from({ length: 13 }, () => said(40)),
  ]
}

function toolCall() {
  return {
    sessionUpdate: 'tool_call',
    toolCallId: `call-${OWN}`,
    title: `~${OWN}~ Edit src/app.ts`,
    kind: 'edit',
    status: 'in_progress',
    locations: [{ path: '/workspace/src/app.ts', line: 12 }],
  }
}

function toolCallUpdate() {
  const diff = {
    type: 'diff',
    path: '/workspace/src/app.ts',
    oldText: 'const answer = 41\n'.repeat(40),
    newText: `// ~${OWN}~\n${'const answer = 42\n'.repeat(40)}`,
  }
  const toolCallId = `call-${PREVIOUS}`
  return { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content: [diff] }
}

function toolOutput() {
  const text = `~${OWN}~ 12 tests passed\n${'ok src/app.test.ts\n'.repeat(12)}`
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: `call-${PREVIOUS}`,
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text } }],
  }
}

function said(chars) {
  return chunk('agent_message_chunk', words(chars))
}

function chunk(sessionUpdate, text) {
  return { sessionUpdate, content: { type: 'text', text } }
}

function words(chars) {
  const mark = `~${OWN}~`
  return mark + ' and so it goes on'.repeat(10).slice(0, chars - mark.length)
}

function toLine(sessionId, update) {
  const params = { sessionId, update }
  return `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`
}

class Block {
  #bytes
  /** The end of each line, and the positions and distances of its numbers. */
  #ends = []
  #places = []

  constructor(lines) {
    this.#bytes = Buffer.from(lines.join(''))
    let start = 0
    for (const line of lines) {
      const places = [...placesOf(line, OWN, 0), ...placesOf(line, PREVIOUS, 1)]
      this.#places.push(places.map(({ at, back }) => ({ at: start + at, back })))
      start += Buffer.byteLength(line)
      this.#ends.push(start)
    }
  }

  get size() {
    return this.#ends.length
  }

  /** The first `count` lines, numbered from `first`. */
  number(first, count) {
    for (let line = 0; line < count; line += 1)
      for (const { at, back } of this.#places[line]) this.#write(first + line - back, at)
    return this.#bytes.subarray(0, this.#ends[count - 1])
  }

  #write(number, at) {
    let rest = number
    for (let digit = DIGITS - 1; digit >= 0; digit -= 1) {
      this.#bytes[at + digit] = 48 + (rest % 10)
      rest = Math.floor(rest / 10)
    }
  }
}

function placesOf(line, placeholder, back) {
  const places = []
  for (let at = line.indexOf(placeholder); at !== -1; at = line.indexOf(placeholder, at + DIGITS))
    places.push({ at: Buffer.byteLength(line.slice(0, at)), back })
  return places
}
