// A line of the log for a person at a terminal: time, level when it matters, message and facts, on one line.
import { styleText } from 'node:util'
import { escapeInvisible } from '@quayside/protocol'
import { isObject } from './json.js'

const MAX_VALUE_CHARS = 200
/** Of an id the end is shown, as in lists. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{6}([0-9a-f]{6})$/
const WARN = 40
const ERROR = 50

/** A line that is not JSON, such as output of an agent, is returned as it is. The result ends with a line break. */
export function formatLogLine(line: string, stream: NodeJS.WritableStream): string {
  const entry = parse(line)
  if (entry === undefined) return `${escapeInvisible(line.trimEnd())}\n`
  const { level, time, msg, ...facts } = entry
  const style = Number(level) >= ERROR ? 'red' : Number(level) >= WARN ? 'yellow' : undefined
  const message = escapeInvisible(typeof msg === 'string' ? msg : '')
  const shown = Object.entries(facts).flatMap(([name, value]) => describe(name, value))
  return [
    styleText('dim', timeOf(time), { stream }),
    style === undefined ? message : styleText(style, message, { stream }),
    ...(shown.length === 0 ? [] : [styleText('dim', shown.join(' '), { stream })]),
  ]
    .join(' ')
    .concat('\n')
}

function timeOf(ms: unknown): string {
  return typeof ms === 'number' ? new Date(ms).toTimeString().slice(0, 8) : '--:--:--'
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return isObject(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

/** Empty for an object or a list, and only the message of an error: the rest is in the JSON. */
function describe(name: string, value: unknown): string[] {
  const plain = isObject(value) ? value['message'] : value
  if (plain === undefined || typeof plain === 'object') return []
  const text = typeof plain === 'string' && /^\S+$/.test(plain) ? plain : JSON.stringify(plain)
  const cut = text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text
  return [`${name}=${escapeInvisible(cut.replace(UUID, '$1'))}`]
}
