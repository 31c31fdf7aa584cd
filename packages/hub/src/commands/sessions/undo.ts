// `quayside undo` and `quayside redo`: set the files of a turn back, and forth again. The changed files are shown before the question.
import { ClientError } from '@quayside/client'
import type { FileChange, Restored } from '@quayside/protocol'
import { type Command, Option } from 'commander'
import { confirm } from '../io/ask-person.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, type HubAccess, type HubFlags, requireHub } from '../io/hub-access.js'
import { oneLine } from '../io/one-line.js'

type RestoreFlags = HubFlags & {
  readonly turn?: string
  readonly force?: 'others' | 'all'
  readonly yes?: boolean
  readonly json?: boolean
}

export function defineUndo(command: Command, io: CommandIo): void {
  addRestoreOptions(command)
    .option('--turn <id>', 'the turn (default: the latest with changes that are not undone)')
    .option('--yes', "don't ask")
    .addHelpText('after', UNDO_HELP)
    .action((wanted: string, flags: RestoreFlags) => undo(wanted, flags, io))
}

export function defineRedo(command: Command, io: CommandIo): void {
  addRestoreOptions(command)
    .addHelpText('after', '\nExamples:\n  quayside redo -\n  quayside redo 7d1f0c --force others')
    .action((wanted: string, flags: RestoreFlags) => redo(wanted, flags, io))
}

const UNDO_HELP = `
Files that the turn has not changed, and ignored files, are never touched. The
present state is kept first: "quayside redo" brings it back.

Examples:
  quayside undo -
  quayside undo 7d1f0c --force others --yes`

function addRestoreOptions(command: Command): Command {
  command
    .argument('<session>', SESSION_ARGUMENT)
    .addOption(
      new Option(
        '--force <files>',
        'when somebody else has changed files of the turn since: restore the others, or all',
      ).choices(['others', 'all']),
    )
    .option('--json', 'print JSON')
  return addHubOption(command)
}

async function undo(wanted: string, flags: RestoreFlags, io: CommandIo): Promise<void> {
  await using hub = await requireHub(flags, io)
  const sessionId = await requireSessionId(hub, wanted)
  const { turnId, files } = flags.turn
    ? await findTurn(hub, sessionId, flags.turn)
    : await findLatest(hub, sessionId)
  if (!flags.yes) {
    io.stderr.write(describeFiles(files))
    if (!(await confirm(io, 'Set these files back to before the turn?'))) return
  }
  const input = { sessionId, turnId, ...(flags.force && { force: flags.force }) }
  const call = hub.client.http.call('POST /api/sessions/{sessionId}/undo', input)
  report(await call.catch(explain), flags, io)
}

async function redo(wanted: string, flags: RestoreFlags, io: CommandIo): Promise<void> {
  await using hub = await requireHub(flags, io)
  const sessionId = await requireSessionId(hub, wanted)
  const input = { sessionId, ...(flags.force && { force: flags.force }) }
  const call = hub.client.http.call('POST /api/sessions/{sessionId}/redo', input)
  report(await call.catch(explain), flags, io)
}

type ChangedTurn = { readonly turnId: string; readonly files: readonly FileChange[] }

/** The latest turn with changes that are not undone. */
async function findLatest(hub: HubAccess, sessionId: string): Promise<ChangedTurn> {
  const address = 'GET /api/sessions/{sessionId}/checkpoints'
  const { checkpoints } = await hub.client.http.call(address, { sessionId })
  for (const { turnId, isKept, isUndone } of checkpoints.toReversed()) {
    const files = isKept && !isUndone ? await readFiles(hub, sessionId, turnId) : []
    if (files && files.length > 0) return { turnId, files }
  }
  throw new CommandError(
    'There is no turn to undo in this session: none has changed files, or all of them are undone.',
    EXIT.failed,
  )
}

async function findTurn(hub: HubAccess, sessionId: string, turnId: string): Promise<ChangedTurn> {
  const files = await readFiles(hub, sessionId, turnId)
  if (files) return { turnId, files }
  throw new CommandError(
    'The work tree before this turn was not kept, so the turn cannot be undone. Choose another one with --turn.',
    EXIT.failed,
  )
}

async function readFiles(
  { client }: HubAccess,
  sessionId: string,
  turnId: string,
): Promise<readonly FileChange[] | undefined> {
  const input = { sessionId, turnId, patches: false }
  const changes = await client.http.call('GET /api/sessions/{sessionId}/changes', input)
  return changes.is === 'known' ? changes.files : undefined
}

function describeFiles(files: readonly FileChange[]): string {
  if (files.length === 0) return 'The turn has changed no file.\n'
  return `${files.map(describeFile).join('\n')}\n`
}

function describeFile({ status, path, added, removed }: FileChange): string {
  const lines = added === undefined ? '' : `  +${added} −${removed}`
  return `  ${status} ${oneLine(path)}${lines}`
}

function report({ paths, left }: Restored, flags: RestoreFlags, io: CommandIo): void {
  if (flags.json) return void io.stdout.write(`${JSON.stringify({ paths, left })}\n`)
  const lines = [
    paths.length === 1 ? 'Restored 1 file.' : `Restored ${paths.length} files.`,
    ...left.map((path) => `  left as it is: ${oneLine(path)}`),
  ]
  io.stderr.write(`${lines.join('\n')}\n`)
}

/** Names the files that somebody else has changed. */
function explain(error: unknown): never {
  if (!(error instanceof ClientError) || error.code !== 'files_changed') throw error
  const paths = (error.details?.['paths'] ?? []) as readonly string[]
  const names = paths.map((path) => `  ${oneLine(path)}`).join('\n')
  throw new CommandError(
    `Changed since by somebody else:\n${names}\nUse --force others to restore the other files, or --force all to overwrite these too.`,
    EXIT.failed,
    { cause: error },
  )
}
