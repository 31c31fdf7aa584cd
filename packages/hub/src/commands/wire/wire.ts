// `quayside wire`: the messages between hub and agents. `replay FILE` prints the transcript of recorded wire traffic and its oddities.
import { entryLine, escapeInvisible, markdownHead, markdownOf } from '@quayside/protocol'
import { type Command, Option } from 'commander'
import { extensionFolders, Extensions } from '../../agents/extensions/extensions.js'
import { loadConfig } from '../../config/config.js'
import { createLog } from '../../log.js'
import { type CommandIo, exitWhenStdoutCloses, pathFrom } from '../io/command-io.js'
import { EXIT } from '../io/exit-codes.js'
import type { ReplayedSession } from './replayed-session.js'
import { readWireFile } from './recorded-frames.js'
import { count, type FindQuirks, WireReplay } from './replay.js'
import { addWireShowCommand } from './show.js'

type ReplayFlags = {
  readonly format: 'md' | 'jsonl'
  readonly json?: boolean
  readonly agent?: string
}

const HELP = `
Examples:
  quayside wire - -f                 follow the newest session
  quayside wire 7d1f0c --dir in > wire.jsonl
  quayside wire replay wire.jsonl`

const MESSAGES = ['request', 'response', 'notification']

export function defineWire(wire: Command, io: CommandIo): void {
  wire.addHelpText('after', HELP)
  addWireShowCommand(wire, io)
  wire
    .command('replay')
    .argument('<file>', 'wire file, download of one, or JSON-RPC lines')
    .description('print the transcript of recorded traffic; oddities go to stderr')
    .addOption(
      new Option('--format <format>', 'output format').choices(['md', 'jsonl']).default('md'),
    )
    .option('--json', 'print a summary as JSON instead: counts, sessions, oddities')
    .option('--agent <id>', 'the agent whose quirks apply (default: the one that the file names)')
    .action((file: string, flags: ReplayFlags) => replay(pathFrom(io, file), flags, io))
}

async function replay(file: string, flags: ReplayFlags, io: CommandIo): Promise<void> {
  exitWhenStdoutCloses(io, EXIT.done)
  const replayed = new WireReplay(quirksFinder(flags.agent, io))
  for await (const frame of readWireFile(file)) replayed.take(frame)
  replayed.finish()
  if (!MESSAGES.some((is) => replayed.frames.has(is)))
    throw new Error(describeNoTraffic(file, replayed))
  if (flags.json) {
    io.stdout.write(`${JSON.stringify(summaryOf(file, replayed), null, 2)}\n`)
    return
  }
  for (const session of replayed.sessions.values())
    io.stdout.write(flags.format === 'md' ? asMarkdown(session) : asLines(session))
  for (const { line, message } of replayed.oddities)
    io.stderr.write(`${file}:${line}: ${escapeInvisible(message)}\n`)
  const found = [...replayed.oddityCounts.values()].reduce((sum, times) => sum + times, 0)
  const left = found - replayed.oddities.length
  if (left > 0) io.stderr.write(`${file}: ${left} more oddities; --json counts them\n`)
}

/** A process is named after its extension and its pid. Other recordings only have the name that the agent reports. */
function quirksFinder(agent: string | undefined, io: CommandIo): FindQuirks {
  const config = loadConfig({}, io.env, io.cwd)
  const extensions = new Extensions(extensionFolders(config), createLog('silent'))
  if (agent !== undefined) {
    const { quirks } = extensions.require(agent).manifest
    return () => quirks
  }
  const manifests = extensions.all.map(({ manifest }) => manifest)
  return (process, agentName = '') => {
    const id = process.replace(/-[^-]*$/, '')
    const known =
      manifests.find((manifest) => manifest.id === id) ??
      manifests.find(({ agentNames }) => agentNames.includes(agentName))
    return known?.quirks ?? {}
  }
}

function describeNoTraffic(file: string, { oddities }: WireReplay): string {
  const first = oddities[0]
  if (first === undefined) return `${file} has no frames.`
  return `${file}:${first.line}: no wire traffic (${escapeInvisible(first.message)})`
}

function asMarkdown(session: ReplayedSession): string {
  const { acpSessionId: sessionId, transcript } = session
  const body = session.entries().map(markdownOf).join('')
  return `${markdownHead({ sessionId, title: transcript.title })}${body}`
}

function asLines(session: ReplayedSession): string {
  const { acpSessionId } = session
  return session
    .entries()
    .map((entry) => `${entryLine({ ...entry, session: acpSessionId })}\n`)
    .join('')
}

function summaryOf(file: string, replayed: WireReplay) {
  const { frames, updates, sessions, oddities, oddityCounts } = replayed
  return {
    file,
    frames: Object.fromEntries(frames),
    updates: Object.fromEntries(updates),
    sessions: [...sessions.values()].map((session) => ({
      acpSessionId: session.acpSessionId,
      title: session.transcript.title,
      turns: session.turnCount,
      entries: countRoles(session),
    })),
    oddityCounts: Object.fromEntries(oddityCounts),
    oddities,
  }
}

function countRoles(session: ReplayedSession): Record<string, number> {
  const roles = new Map<string, number>()
  for (const { role } of session.entries()) count(roles, role)
  return Object.fromEntries(roles)
}
