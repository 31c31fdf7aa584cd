// The commands of `quayside sessions` for one session: show, cancel, end, rename, archive, unarchive, export, rm; find and answer
// have their own files.
import { createWriteStream } from 'node:fs'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { SessionSummary, UnsavedWork } from '@quayside/protocol'
import { type Command, Option } from 'commander'
import { oneLine } from '../io/one-line.js'
import { confirm } from '../io/ask-person.js'
import { type CommandIo, pathFrom } from '../io/command-io.js'
import { describeTime } from '../io/describe-time.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, type HubFlags, openHub, requireHub } from '../io/hub-access.js'
import { defineAnswer } from './answer.js'
import { defineFind } from './find.js'

type ShowFlags = HubFlags & { readonly json?: boolean }
type RemoveFlags = HubFlags & { readonly yes?: boolean }
/** The hub and one of its sessions. */
type SessionInput = HubFlags & { readonly wanted: string }
type ExportFlags = HubFlags & { readonly format?: Format; readonly output?: string }

const FORMATS = ['md', 'html', 'jsonl'] as const
const EXPORT_MS = 600_000
type Format = (typeof FORMATS)[number]

export function addSessionCommands(sessions: Command, io: CommandIo): void {
  const add = (name: string, description: string): Command =>
    addHubOption(
      sessions.command(name).description(description).argument('<session>', SESSION_ARGUMENT),
    )
  add('show', 'show the details of a session')
    .option('--json', 'print JSON')
    .action((wanted: string, flags: ShowFlags) => show(wanted, flags, io))
  defineFind(add('find', 'find a text in the conversation of a session'), io)
  defineAnswer(add('answer', 'answer what the agent of a session asks'), io)
  add('cancel', 'stop the running turn; the session stays active, and its queue continues').action(
    (wanted: string, flags: HubFlags) => cancel({ wanted, ...flags }, io),
  )
  add('end', 'end a session and its agent; it can be resumed').action(
    (wanted: string, flags: HubFlags) => end({ wanted, ...flags }, io),
  )
  add('rename', 'rename a session')
    .argument('<title>', 'at most 200 characters; "" uses the title of the agent')
    .action((wanted: string, title: string, flags: HubFlags) =>
      rename({ wanted, ...flags }, title, io),
    )
  add('archive', 'archive a session, so that lists leave it out').action(
    (wanted: string, flags: HubFlags) => archive({ wanted, ...flags }, true, io),
  )
  add('unarchive', 'take a session out of the archive').action((wanted: string, flags: HubFlags) =>
    archive({ wanted, ...flags }, false, io),
  )
  add('export', 'export the transcript')
    .addOption(
      new Option(
        '-f, --format <format>',
        'format (default: the extension of --output, else md)',
      ).choices(FORMATS),
    )
    .option('-o, --output <file>', 'file to write (default: stdout)')
    .action((wanted: string, flags: ExportFlags) => exportSession(wanted, flags, io))
  add('rm', 'end a session and remove it permanently')
    .option('--yes', "don't ask")
    .action((wanted: string, flags: RemoveFlags) => remove(wanted, flags, io))
}

export function stateOf({ status, activity }: Pick<SessionSummary, 'status' | 'activity'>) {
  return status === 'active' ? (activity ?? status) : status
}

async function show(wanted: string, flags: ShowFlags, io: CommandIo): Promise<void> {
  const write = (text: string) => void io.stdout.write(`${text}\n`)
  await using hub = await openHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  const { messages: _, ...session } = await hub.client.sessions.get(id, { messages: '0' })
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
    ['created', describeTime(createdAt)],
    ['changed', describeTime(updatedAt)],
    ['ended', endedAt ? describeTime(endedAt) : undefined],
    // A temporary hub ends with this command.
    ['address', hub.isTemporary ? undefined : `${hub.address}/s/${id}`],
  ]
  const lines = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(11)} ${value}`],
  )
  write(lines.join('\n'))
}

async function cancel({ wanted, ...flags }: SessionInput, io: CommandIo): Promise<void> {
  await using hub = await requireHub(flags, io)
  const session = await hub.client.openSession(await requireSessionId(hub, wanted))
  const { activity } = session.info
  await session.cancel()
  note(io, activity === 'idle' ? 'No turn was running.' : `Stopped the turn of ${session.id}.`)
}

async function end({ wanted, ...flags }: SessionInput, io: CommandIo): Promise<void> {
  await using hub = await requireHub(flags, io)
  const session = await hub.client.openSession(await requireSessionId(hub, wanted))
  await session.complete()
  note(io, `Ended ${session.id}.`)
}

async function rename(
  { wanted, ...flags }: SessionInput,
  title: string,
  io: CommandIo,
): Promise<void> {
  await using hub = await openHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  await hub.client.sessions.change(id, { title: title.trim() === '' ? null : title })
  note(io, `Renamed ${id}.`)
}

async function archive(
  { wanted, ...flags }: SessionInput,
  archived: boolean,
  io: CommandIo,
): Promise<void> {
  await using hub = await openHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  await hub.client.sessions.change(id, { archived })
  note(io, archived ? `Archived ${id}. See: quayside sessions --archived` : `Unarchived ${id}.`)
}

async function exportSession(wanted: string, flags: ExportFlags, io: CommandIo): Promise<void> {
  const { output } = flags
  const ending = FORMATS.find((format) => extname(output ?? '') === `.${format}`)
  await using hub = await openHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  const path = `/api/sessions/${id}/transcript?format=${flags.format ?? ending ?? 'md'}`
  const transcript = await hub.stream(path, AbortSignal.timeout(EXPORT_MS))
  if (output === undefined) return pipeline(transcript, io.stdout, { end: false })
  try {
    await pipeline(transcript, createWriteStream(pathFrom(io, output)))
  } catch (cause) {
    throw new Error(`${output} cannot be written: ${(cause as Error).message}`, { cause })
  }
  note(io, `Wrote ${output}.`)
}

async function remove(wanted: string, flags: RemoveFlags, io: CommandIo): Promise<void> {
  await using hub = await openHub(flags, io)
  const id = await requireSessionId(hub, wanted)
  const session = await hub.client.openSession(id)
  const input = { sessionId: id }
  const look = hub.client.http.call('GET /api/sessions/{sessionId}/workspace/unsaved', input)
  // A work tree that cannot be read stays when its session is removed.
  const work = await look.catch(() => undefined)
  if (work?.keptAs !== undefined) note(io, describeUnsaved(work))
  if (!flags.yes && !(await confirm(io, questionOf(session.info)))) {
    note(io, 'Nothing was removed.')
    return
  }
  await session.delete({ purge: true })
  note(io, `Removed ${id}.`)
}

function describeUnsaved({ files, commits, keptAs }: UnsavedWork): string {
  const parts = [
    ...(files.length > 0 ? [`uncommitted changes in ${countOf(files.length, 'file')}`] : []),
    ...(commits > 0 ? [`${countOf(commits, 'commit')} that its base does not have`] : []),
  ]
  return `Its work tree has ${parts.join(' and ')}. They are kept as ${keptAs}.`
}

function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function questionOf({ id, title, status }: SessionSummary): string {
  const name = title === null ? id : `"${oneLine(title)}" (${id})`
  return `Remove ${name}${status === 'active' ? ', which is active,' : ''} permanently?`
}

function note(io: CommandIo, text: string): void {
  io.stderr.write(`${text}\n`)
}
