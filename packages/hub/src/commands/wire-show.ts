// `quayside wire <session>`: what hub and agent say to each other, now or as it happens.
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireFrame } from '@quayside/client'
import { inPlainSight } from '@quayside/protocol'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { requireSessionId, SESSION_ARGUMENT } from './find-session.js'
import { addHubOption, type HubFlags, requireHub } from './hub-access.js'

type Flags = HubFlags & {
  readonly follow?: boolean
  readonly dir?: WireFrame['direction']
  readonly limit: number
}

const LOOK_AGAIN_MS = 500
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
  const seen = new SeenFrames()
  for (;;) {
    const frames = seen.newIn(await hub.client.sessions.wire(id, { limit }))
    for (const frame of frames)
      if (dir === undefined || frame.direction === dir) process.stdout.write(lineOf(frame))
    if (!follow) return
    await sleep(LOOK_AGAIN_MS)
  }
}

/** Frames have no numbers: what is new is younger than the last one, or the rest of those of its millisecond. */
class SeenFrames {
  #at = 0
  #countAt = 0

  newIn(frames: readonly WireFrame[]): readonly WireFrame[] {
    const last = frames.at(-1)
    if (last === undefined) return []
    const same = frames.filter(({ at }) => at === this.#at).slice(this.#countAt)
    const fresh = [...same, ...frames.filter(({ at }) => at > this.#at)]
    this.#at = last.at
    this.#countAt = frames.filter(({ at }) => at === last.at).length
    return fresh
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
