// Reads recorded wire traffic: wire files of the hub and their downloads, `{ dir, msg }` recordings, and bare JSON-RPC lines.
import { createReadStream } from 'node:fs'
import { isObject } from '../../json.js'
import {
  classify,
  type Frame,
  limitDepth,
  type Line,
  LineSplitter,
  parseLine,
} from '../../agents/wire/frames.js'

/** One recorded line. `direction` is seen from the hub; bare lines do not have it. */
export type RecordedFrame = {
  readonly line: number
  readonly at: number
  readonly direction?: 'in' | 'out'
  /** The name of the agent's process, such as `gemini-4711`. */
  readonly process: string
  readonly frame:
    | Frame
    | { readonly is: 'stderr' }
    | { readonly is: 'dropped'; readonly count: number }
  /** Only the beginning of the message was recorded. */
  readonly isCut: boolean
}

/** Throws when the file cannot be read. */
export async function* readWireFile(path: string): AsyncGenerator<RecordedFrame> {
  const splitter = new LineSplitter()
  let number = 0
  const framesOf = (lines: readonly Line[]) =>
    lines.flatMap((line) => {
      number += 1
      return readLine(line, number)
    })
  try {
    for await (const chunk of createReadStream(path))
      yield* framesOf(splitter.push(chunk as Buffer))
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  yield* framesOf(splitter.end())
}

function readLine(line: Line, number: number): RecordedFrame[] {
  const bare = { line: number, at: 0, process: '', isCut: false }
  const value = line.tooLong ? undefined : parse(line.text)
  if (isObject(value) && 'direction' in value && 'frame' in value)
    return [readHubLine(value, number)]
  if (isObject(value) && typeof value['dropped'] === 'number')
    return [{ ...bare, frame: { is: 'dropped', count: value['dropped'] } }]
  if (isObject(value) && 'dir' in value && 'msg' in value) return readRecordingLine(value, bare)
  return parseLine(line).map((frame) => ({ ...bare, frame }))
}

/** A line of `agents/wire/log/wire-file.ts`. A frame that is not JSON is stored as its text. */
function readHubLine(value: Readonly<Record<string, unknown>>, line: number): RecordedFrame {
  const { at, direction, process, frame, cut } = value
  const isStderr = direction === 'stderr'
  return {
    line,
    at: typeof at === 'number' ? at : 0,
    ...(direction === 'in' || direction === 'out' ? { direction } : {}),
    process: typeof process === 'string' ? process : '',
    frame: isStderr ? { is: 'stderr' } : classifyValue(frame),
    isCut: cut === true,
  }
}

const DIRECTIONS = { c2a: 'out', a2c: 'in' } as const

function readRecordingLine(
  { dir, msg, t }: Readonly<Record<string, unknown>>,
  bare: Omit<RecordedFrame, 'frame'>,
): RecordedFrame[] {
  const at = typeof t === 'number' ? t : 0
  if (dir === 'stderr') return [{ ...bare, at, frame: { is: 'stderr' } }]
  if (dir !== 'c2a' && dir !== 'a2c') return []
  const messages = Array.isArray(msg) ? msg : [msg]
  const direction = DIRECTIONS[dir]
  return messages.map((message) => ({ ...bare, at, direction, frame: classifyValue(message) }))
}

/** The text of a junk frame is written out of its value, because the line has more than the frame. */
function classifyValue(value: unknown): Frame {
  const frame = classify(value, '')
  if (frame.is !== 'junk') return frame
  return classify(value, typeof value === 'string' ? value : JSON.stringify(limitDepth(value)))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
