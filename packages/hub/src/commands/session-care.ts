// What is done to one session from outside: looked at, renamed, put aside, exported, removed.
import { createWriteStream } from 'node:fs'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { SessionSummary } from '@quayside/protocol'
import { type Command, Option } from 'commander'
import { oneLine } from './chat-printer.js'
import { isMeant } from './ask-person.js'
import { requireSessionId, SESSION_ARGUMENT } from './find-session.js'
import { addHubOption, type HubFlags, openHub } from './hub-access.js'

type ExportFlags = HubFlags & { readonly format?: Format; readonly output?: string }

const FORMATS = ['md', 'html', 'jsonl'] as const
type Format = (typeof FORMATS)[number]

export function addCareCommands(sessions: Command): void {
  const add = (name: string, description: string): Command =>
    addHubOption(
      sessions.command(name).description(description).argument('<session>', SESSION_ARGUMENT),
    )
  add('show', 'what is known of one').option('--json', 'print JSON').action(show)
  add('rename', 'give it another title')
    .argument('<title>', 'at most 200 characters; "" leaves it to the agent')
    .action(rename)
  add('archive', 'put it aside: lists leave it out').action((wanted: string, flags: HubFlags) =>
    archive(wanted, true, flags),
  )
  add('unarchive', 'take it back').action((wanted: string, flags: HubFlags) =>
    archive(wanted, false, flags),
  )
  add('export', 'write what was said and done in it')
    .addOption(
      new Option('-f, --format <format>', 'how (default: as --output ends, else md)').choices(
        FORMATS,
      ),
    )
    .option('-o, --output <file>', 'where to (default: stdout)')
    .action(exportSession)
  add('rm', 'end it and remove all of it for good').option('--yes', 'do not ask').action(remove)
}

export function stateOf({ status, activity }: Pick<SessionSummary, 'status' | 'activity'>) {
  return status === 'active' ? (activity ?? status) : status
}

async function show(wanted: string, flags: HubFlags & { readonly json?: boolean }): Promise<void> {
  await using hub = await openHub(flags)
  const id = await requireSessionId(hub, wanted)
  const { messages: _, ...session } = await hub.client.sessions.get(id)
  if (flags.json) return write(JSON.stringify(session, null, 2))
  const { repo, metadata, createdAt, updatedAt, endedAt } = session
  const reason = typeof metadata['reason'] === 'string' ? ` (${metadata['reason']})` : ''
  const rows: [string, string | undefined][] = [
    ['id', id],
    ['title', session.title === null ? undefined : oneLine(session.title)],
    ['state', `${stateOf(session)}${reason}${session.archived ? ', archived' : ''}`],
    ['agent', session.extensionId],
    ['repository', repo.path],
    ['prompts', String(session.turnCount)],
    ['created', createdAt],
    ['changed', updatedAt],
    ['ended', endedAt ?? undefined],
    // A hub of the command's own is gone when somebody reads this.
    ['address', hub.isOwn ? undefined : `${hub.address}/s/${id}`],
  ]
  const lines = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(11)} ${value}`],
  )
  write(lines.join('\n'))
}

async function rename(wanted: string, title: string, flags: HubFlags): Promise<void> {
  await using hub = await openHub(flags)
  const id = await requireSessionId(hub, wanted)
  await hub.client.sessions.change(id, { title: title.trim() === '' ? null : title })
  say(`Renamed ${id}.`)
}

async function archive(wanted: string, archived: boolean, flags: HubFlags): Promise<void> {
  await using hub = await openHub(flags)
  const id = await requireSessionId(hub, wanted)
  await hub.client.sessions.change(id, { archived })
  say(archived ? `Put ${id} aside. See: quayside sessions --archived` : `Took ${id} back.`)
}

async function exportSession(wanted: string, flags: ExportFlags): Promise<void> {
  const { output } = flags
  const ending = FORMATS.find((format) => extname(output ?? '') === `.${format}`)
  await using hub = await openHub(flags)
  const id = await requireSessionId(hub, wanted)
  const path = `/api/sessions/${id}/transcript?format=${flags.format ?? ending ?? 'md'}`
  const transcript = await hub.download(path)
  if (output === undefined) return pipeline(transcript, process.stdout, { end: false })
  try {
    await pipeline(transcript, createWriteStream(output))
  } catch (cause) {
    throw new Error(`${output} could not be written: ${(cause as Error).message}`, { cause })
  }
  say(`Wrote ${output}.`)
}

async function remove(wanted: string, flags: HubFlags & { readonly yes?: boolean }): Promise<void> {
  await using hub = await openHub(flags)
  const id = await requireSessionId(hub, wanted)
  const session = await hub.client.openSession(id)
  if (!flags.yes && !(await isMeant(questionOf(session.info)))) {
    say('Nothing was removed.')
    return
  }
  await session.delete({ purge: true })
  say(`Removed ${id}.`)
}

function questionOf({ id, title, status }: SessionSummary): string {
  const name = title === null ? id : `"${oneLine(title)}" (${id})`
  return `Remove ${name}${status === 'active' ? ', which is active,' : ''} for good?`
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

function write(text: string): void {
  process.stdout.write(`${text}\n`)
}
