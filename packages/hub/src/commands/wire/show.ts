// `quayside wire <session>`: what hub and agent say to each other, now or as it happens.
import { once } from 'node:events'
import type { WireFrame } from '@quayside/client'
import { escapeInvisible } from '@quayside/protocol'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { faultMarker } from '../../agents/wire/frame-faults.js'
import { type CommandIo, exitWhenReaderLeaves } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, type HubFlags, requireHub } from '../io/hub-access.js'

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
    .option('-f, --follow', 'go on with what is said from now on, until Ctrl-C')
    .addOption(
      new Option('--dir <direction>', 'only what the hub took in, or sent out').choices([
        'in',
        'out',
        'stderr',
      ]),
    )
    .option('--limit <number>', 'how many to begin with', readLimit, 200)
  addHubOption(command).action((session: string, flags: Flags) => show(session, flags, io))
}

async function show(wanted: string, flags: Flags, io: CommandIo): Promise<void> {
  const { follow, dir, limit } = flags
  const { stdout } = io
  exitWhenReaderLeaves(io, EXIT.done)
  await using hub = await requireHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  const frames = follow
    ? followed(await hub.stream(`/api/sessions/${id}/wire?follow=true&limit=${limit}`), io)
    : await hub.client.sessions.wire(id, { limit })
  for await (const frame of frames) {
    if (dir !== undefined && frame.direction !== dir) continue
    if (!stdout.write(lineOf(frame, stdout.isTTY))) await once(stdout, 'drain')
  }
}

/** Goes on until Ctrl-C; throws when the hub goes first. */
async function* followed(
  bytes: AsyncIterable<Uint8Array>,
  { stderr }: CommandIo,
): AsyncGenerator<WireFrame> {
  // Here, and not in the hub: looking at a flood must not slow it down.
  const mark = faultMarker()
  for await (const line of linesOf(bytes)) {
    // An empty one only says that the hub is there.
    if (line === '') continue
    const frame = JSON.parse(line) as WireFrame | { readonly dropped: number }
    if ('dropped' in frame)
      stderr.write(`${frame.dropped} are left out: they came faster than they are read.\n`)
    else yield mark(frame)
  }
  throw new CommandError('The hub has gone.', EXIT.hubUnreachable)
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
    throw new CommandError('The connection to the hub is lost.', EXIT.hubUnreachable, { cause })
  }
}

/** For programs as `wire replay` reads it, for people with the time and the direction in front. */
function lineOf(frame: WireFrame, isForPeople = false): string {
  if (!isForPeople) return `${JSON.stringify(frame)}\n`
  const { at, direction, frame: message } = frame
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  return `${new Date(at).toISOString().slice(11, 23)} ${SIGNS[direction]} ${escapeInvisible(text)}\n`
}

function readLimit(value: string): number {
  const limit = Number(value)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new InvalidArgumentError(`A whole number from 1 to ${MAX_LIMIT}.`)
}
