// `quayside sessions find`: prints the places of a text in a conversation, newest first.
import { styleText } from 'node:util'
import type { AgentSession } from '@quayside/client'
import { escapeInvisible, type ExcerptPart, type FoundPlace } from '@quayside/protocol'
import type { Command } from 'commander'
import type { CommandIo } from '../io/command-io.js'
import { requireSessionId } from '../io/find-session.js'
import { type HubFlags, openHub } from '../io/hub-access.js'
import { wholeNumber } from '../io/read-whole-number.js'

type FindFlags = HubFlags & { readonly limit: number; readonly json?: boolean }
type FindInput = FindFlags & { readonly wanted: string; readonly text: string }

const MAX_PAGE = 200
const MAX_LIMIT = 10_000

export function defineFind(find: Command, io: CommandIo): void {
  find
    .argument('<text>', 'a text, also a part of a word; upper and lower case are the same')
    .option('--limit <number>', 'number of places', wholeNumber(1, MAX_LIMIT), 50)
    .option('--json', 'print JSON')
    .action((wanted: string, text: string, flags: FindFlags) =>
      printPlaces({ wanted, text, ...flags }, io),
    )
}

async function printPlaces(input: FindInput, io: CommandIo): Promise<void> {
  const { wanted, text, limit, json, ...flags } = input
  await using hub = await openHub(flags, io)
  const session = await hub.client.openSession(await requireSessionId(hub, wanted))
  const places = await placesOf(session, text, limit)
  if (json) io.stdout.write(`${JSON.stringify({ places }, null, 2)}\n`)
  else if (places.length === 0) io.stderr.write('No match.\n')
  else for (const place of places) io.stdout.write(`${lineOf(place, io)}\n`)
}

async function placesOf(session: AgentSession, text: string, limit: number): Promise<FoundPlace[]> {
  const places: FoundPlace[] = []
  let cursor: string | undefined
  do {
    const page = await session.find(text, {
      limit: Math.min(limit - places.length, MAX_PAGE),
      cursor,
    })
    places.push(...page.places)
    cursor = page.nextCursor
  } while (cursor !== undefined && places.length < limit)
  return places.slice(0, limit)
}

/** The event it began with, its author or kind, and the text around the match. */
function lineOf({ seq, itemId, type, excerpt }: FoundPlace, io: CommandIo): string {
  const kind = type === 'text' ? (itemId.startsWith('user:') ? 'user' : 'agent') : type
  const mark = ({ text, match }: ExcerptPart): string => {
    const safe = escapeInvisible(text)
    return match && io.stdout.isTTY ? styleText('bold', safe, { stream: io.stdout }) : safe
  }
  return `${String(seq).padStart(7)}  ${kind.padEnd(10)}  ${excerpt.map(mark).join('')}`
}
