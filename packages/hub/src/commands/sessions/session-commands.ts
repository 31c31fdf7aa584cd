// What is done to one session from outside: looked at, renamed, put aside, exported, removed.
import { createWriteStream } from 'node:fs'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { SessionSummary } from '@quayside/protocol'
import { type Command, Option } from 'commander'
import { oneLine } from '../io/one-line.js'
import { isMeant } from '../io/ask-person.js'
import { type CommandIo, pathFrom } from '../io/command-io.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, type HubFlags, openHub } from '../io/hub-access.js'

type ShowFlags = HubFlags & { readonly json?: boolean }
type RemoveFlags = HubFlags & { readonly yes?: boolean }
/** The hub, and which of its sessions. */
type Named = HubFlags & { readonly wanted: string }
type ExportFlags = HubFlags & { readonly format?: Format; readonly output?: string }

const FORMATS = ['md', 'html', 'jsonl'] as const
type Format = (typeof FORMATS)[number]

export function addCareCommands(sessions: Command, io: CommandIo): void {
  const add = (name: string, description: string): Command =>
    addHubOption(
      sessions.command(name).description(description).argument('<session>', SESSION_ARGUMENT),
    )
  add('show', 'what is known of one')
    .option('--json', 'print JSON')
    .action((wanted: string, flags: ShowFlags) => show(wanted, flags, io))
  add('rename', 'give it another title')
    .argument('<title>', 'at most 200 characters; "" leaves it to the agent')
    .action((wanted: string, title: string, flags: HubFlags) =>
      rename({ wanted, ...flags }, title, io),
    )
  add('archive', 'put it aside: lists leave it out').action((wanted: string, flags: HubFlags) =>
    archive({ wanted, ...flags }, true, io),
  )
  add('unarchive', 'take it back').action((wanted: string, flags: HubFlags) =>
    archive({ wanted, ...flags }, false, io),
  )
  add('export', 'write what was said and done in it')
    .addOption(
      new Option('-f, --format <format>', 'how (default: as --output ends, else md)').choices(
        FORMATS,
      ),
    )
    .option('-o, --output <file>', 'where to (default: stdout)')
    .action((wanted: string, flags: ExportFlags) => exportSession(wanted, flags, io))
  add('rm', 'end it and remove all of it for good')
    .option('--yes', 'do not ask')
    .action((wanted: string, flags: RemoveFlags) => remove(wanted, flags, io))
}

export function stateOf({ status, activity }: Pick<SessionSummary, 'status' | 'activity'>) {
  return status === 'active' ? (activity ?? status) : status
}

async function show(wanted: string, flags: ShowFlags, io: CommandIo): Promise<void> {
  const write = (text: string) => void io.stdout.write(`${text}\n`)
  await using hub = await openHub(flags, io)
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

async function rename({ wanted, ...flags }: Named, title: string, io: CommandIo): Promise<void> {
  await using hub = await openHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  await hub.client.sessions.change(id, { title: title.trim() === '' ? null : title })
  say(io, `Renamed ${id}.`)
}

async function archive(
  { wanted, ...flags }: Named,
  archived: boolean,
  io: CommandIo,
): Promise<void> {
  await using hub = await openHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  await hub.client.sessions.change(id, { archived })
  say(io, archived ? `Put ${id} aside. See: quayside sessions --archived` : `Took ${id} back.`)
}

async function exportSession(wanted: string, flags: ExportFlags, io: CommandIo): Promise<void> {
  const { output } = flags
  const ending = FORMATS.find((format) => extname(output ?? '') === `.${format}`)
  await using hub = await openHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  const path = `/api/sessions/${id}/transcript?format=${flags.format ?? ending ?? 'md'}`
  const transcript = await hub.download(path)
  if (output === undefined) return pipeline(transcript, io.stdout, { end: false })
  try {
    await pipeline(transcript, createWriteStream(pathFrom(io, output)))
  } catch (cause) {
    throw new Error(`${output} could not be written: ${(cause as Error).message}`, { cause })
  }
  say(io, `Wrote ${output}.`)
}

async function remove(wanted: string, flags: RemoveFlags, io: CommandIo): Promise<void> {
  await using hub = await openHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  const session = await hub.client.openSession(id)
  if (!flags.yes && !(await isMeant(io, questionOf(session.info)))) {
    say(io, 'Nothing was removed.')
    return
  }
  await session.delete({ purge: true })
  say(io, `Removed ${id}.`)
}

function questionOf({ id, title, status }: SessionSummary): string {
  const name = title === null ? id : `"${oneLine(title)}" (${id})`
  return `Remove ${name}${status === 'active' ? ', which is active,' : ''} for good?`
}

function say(io: CommandIo, text: string): void {
  io.stderr.write(`${text}\n`)
}
