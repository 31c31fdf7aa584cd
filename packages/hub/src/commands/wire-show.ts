// `quayside wire <session>`: what hub and agent say to each other, now or as it happens.
import { once } from 'node:events'
import type { WireFrame } from '@quayside/client'
import { inPlainSight } from '@quayside/protocol'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { faultMarker } from '../agents/wire/frame-faults.js'
import { CommandError, EXIT } from './exit-codes.js'
import { requireSessionId, SESSION_ARGUMENT } from './find-session.js'
import { addHubOption, type HubAccess, type HubFlags, requireHub } from './hub-access.js'

type Flags = HubFlags & {
  readonly follow?: boolean
  readonly dir?: WireFrame['direction']
  readonly limit: number
}

const MAX_LIMIT = 10_000
const SIGNS = { in: '←', out: '→', stderr: '!' } as const

export function addWireShowCommand(wire: Command): void {
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
  addHubOption(command).action(show)
}

async function show(wanted: string, { follow, dir, limit, ...flags }: Flags): Promise<void> {
  // Whoever reads it may have seen enough, as `head` has.
  process.stdout.once('error', () => process.exit())
  await using hub = await requireHub(flags)
  const id = await requireSessionId(hub, wanted)
  const frames = follow ? followed(hub, id, limit) : await hub.client.sessions.wire(id, { limit })
  for await (const frame of frames) {
    if (dir !== undefined && frame.direction !== dir) continue
    if (!process.stdout.write(lineOf(frame))) await once(process.stdout, 'drain')
  }
}

/** Goes on until Ctrl-C; throws when the hub goes first. */
async function* followed(hub: HubAccess, id: string, limit: number): AsyncGenerator<WireFrame> {
  const path = `/api/sessions/${id}/wire?follow=true&limit=${limit}`
  // Here, and not in the hub: looking at a flood must not slow it down.
  const mark = faultMarker()
  for await (const line of linesOf(await hub.stream(path))) {
    // An empty one only says that the hub is there.
    if (line === '') continue
    const frame = JSON.parse(line) as WireFrame | { readonly dropped: number }
    if ('dropped' in frame)
      process.stderr.write(`${frame.dropped} are left out: they came faster than they are read.\n`)
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
function lineOf(frame: WireFrame): string {
  if (!process.stdout.isTTY) return `${JSON.stringify(frame)}\n`
  const { at, direction, frame: message } = frame
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  return `${new Date(at).toISOString().slice(11, 23)} ${SIGNS[direction]} ${inPlainSight(text)}\n`
}

function readLimit(value: string): number {
  const limit = Number(value)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new InvalidArgumentError(`A whole number from 1 to ${MAX_LIMIT}.`)
}
