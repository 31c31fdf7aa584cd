// `quayside wire <session>`: prints the messages between the hub and the agent of a session.
import { once } from 'node:events'
import type { WireFrame } from '@quayside/client'
import { escapeInvisible } from '@quayside/protocol'
import { type Command, Option } from 'commander'
import { faultMarker } from '../../agents/wire/frame-faults.js'
import { clockTime } from '../io/describe-time.js'
import { type CommandIo, exitWhenStdoutCloses } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, type HubFlags, requireHub } from '../io/hub-access.js'
import { wholeNumber } from '../io/read-whole-number.js'

type Flags = HubFlags & {
  readonly follow?: boolean
  readonly dir?: WireFrame['direction']
  readonly limit: number
}

const MAX_LIMIT = 10_000
const SIGNS = { in: '←', out: '→', stderr: '!' } as const

export function addWireShowCommand(wire: Command, io: CommandIo): void {
  const command = wire
    .command('show', { isDefault: true })
    .description('print the last messages between the hub and the agent of a session')
    .argument('<session>', SESSION_ARGUMENT)
    .option('-f, --follow', 'keep printing new messages until Ctrl-C')
    .addOption(
      new Option(
        '--dir <direction>',
        'only messages to the hub (in), from the hub (out), or stderr',
      ).choices(['in', 'out', 'stderr']),
    )
    .option('--limit <number>', 'number of earlier messages', wholeNumber(1, MAX_LIMIT), 200)
  addHubOption(command).action((session: string, flags: Flags) => show(session, flags, io))
}

async function show(wanted: string, flags: Flags, io: CommandIo): Promise<void> {
  const { follow, dir, limit } = flags
  const { stdout } = io
  exitWhenStdoutCloses(io, EXIT.done)
  await using hub = await requireHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  const frames = follow
    ? readFrames(await hub.stream(`/api/sessions/${id}/wire?follow=true&limit=${limit}`), io)
    : await hub.client.sessions.wire(id, { limit })
  for await (const frame of frames) {
    if (dir !== undefined && frame.direction !== dir) continue
    if (!stdout.write(lineOf(frame, stdout.isTTY))) await once(stdout, 'drain')
  }
}

/** Runs until Ctrl-C. Throws when the hub closes the connection. */
async function* readFrames(
  bytes: AsyncIterable<Uint8Array>,
  { stderr }: CommandIo,
): AsyncGenerator<WireFrame> {
  // Faults are marked here and not in the hub, so that following a busy agent does not slow the hub down.
  const mark = faultMarker()
  for await (const line of linesOf(bytes)) {
    // The hub sends empty lines as keep-alive.
    if (line === '') continue
    const frame = JSON.parse(line) as WireFrame | { readonly dropped: number }
    if ('dropped' in frame)
      stderr.write(
        `${frame.dropped} messages were skipped: they arrived faster than they could be printed.\n`,
      )
    else yield mark(frame)
  }
  throw new CommandError('The hub has closed the connection.', EXIT.hubUnreachable)
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const piece of bytes) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (cause) {
    throw new CommandError('The connection to the hub was lost.', EXIT.hubUnreachable, { cause })
  }
}

/** At a terminal with time and direction in front, elsewhere as JSON that `wire replay` reads. */
function lineOf(frame: WireFrame, isTerminal = false): string {
  if (!isTerminal) return `${JSON.stringify(frame)}\n`
  const { at, direction, frame: message } = frame
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  return `${clockTime(at)} ${SIGNS[direction]} ${escapeInvisible(text)}\n`
}
