// `quayside workspace`: commits the work of a session, brings it into a branch, pushes or discards it, checks it, and takes one of several.
import { type AgentSession, ClientError } from '@quayside/client'
import type { CheckRun, WorkspaceAction, WorkspaceResult } from '@quayside/protocol'
import type { Command } from 'commander'
import { confirm } from '../io/ask-person.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, type HubFlags, requireHub } from '../io/hub-access.js'
import { oneLine } from '../io/one-line.js'

type ActionFlags = HubFlags & {
  readonly message?: string
  readonly into?: string
  readonly remote?: string
  readonly title?: string
  readonly body?: string
  readonly yes?: boolean
}

const ACTIONS: Readonly<Record<WorkspaceAction['action'], string>> = {
  commit: 'commit all changes of the work tree; hooks run',
  merge: 'merge the branch of the session into the one it began from',
  squash: 'bring its changes in as one commit',
  rebase: 'put its commits on top of the branch it began from',
  push: 'push the branch of the session, and show the draft of its pull request',
  pullRequest: 'open a pull request for the pushed branch, with gh or glab',
  discard: 'remove its work tree and branch; their state is kept as a reference',
}

export function defineWorkspace(workspace: Command, io: CommandIo): void {
  workspace.addHelpText('after', HELP)
  defineCheck(workspace, io)
  defineTake(workspace, io)
  for (const [action, description] of Object.entries(ACTIONS)) {
    const command = workspace
      .command(action === 'pullRequest' ? 'pr' : action)
      .description(description)
      .argument('<session>', SESSION_ARGUMENT)
    if (action === 'push' || action === 'pullRequest')
      command.option('--remote <name>', 'remote (default: origin)')
    else if (action === 'discard') command.option('--yes', "don't ask")
    else command.option('-m, --message <text>', 'of the commit (default: drafted from the prompts)')
    if (action === 'pullRequest')
      command
        .option('--title <text>', 'title (default: that of the session)')
        .option('--body <text>', 'body (default: the subjects of the commits)')
    if (['merge', 'squash', 'rebase'].includes(action))
      command.option('--into <branch>', 'branch (default: the one it began from)')
    addHubOption(command).action((wanted: string, flags: ActionFlags) =>
      act({ wanted, action: action as WorkspaceAction['action'] }, flags, io),
    )
  }
}

function defineTake(workspace: Command, io: CommandIo): void {
  const command = workspace
    .command('take')
    .description('take this session of a comparison and give up the others')
    .argument('<session>', SESSION_ARGUMENT)
    .option('--yes', "don't ask")
  addHubOption(command).action(async (wanted: string, flags: ActionFlags) => {
    await using hub = await requireHub(flags, io)
    const sessionId = await requireSessionId(hub, wanted)
    const question =
      'Archive the other sessions of the comparison and remove their work trees? Their work is kept under references.'
    if (!flags.yes && !(await confirm(io, question))) return
    const input = { comparisonId: sessionId, sessionId }
    const { sessions } = await hub.client.http.call(
      'POST /api/comparisons/{comparisonId}/take',
      input,
    )
    for (const { extensionId, workspace: { kept } = {} } of sessions)
      if (kept !== undefined) io.stderr.write(`${extensionId}: kept as ${kept}.\n`)
  })
}

function defineCheck(workspace: Command, io: CommandIo): void {
  const command = workspace
    .command('check')
    .description("run the repository's check command in the work tree of a session")
    .argument('<session>', SESSION_ARGUMENT)
  addHubOption(command).action(async (wanted: string, flags: ActionFlags) => {
    await using hub = await requireHub(flags, io)
    const { client } = hub
    // First, so that its events from now on are read.
    const session = await client.openSession(await requireSessionId(hub, wanted))
    const input = { sessionId: session.id }
    const check = await client.http.call('POST /api/sessions/{sessionId}/workspace/check', input)
    const { state, exitCode, reason } = await endOf(check, session)
    io.stdout.write(`${state}${exitCode ? ` (${exitCode})` : ''}\n`)
    if (reason !== undefined) io.stderr.write(`${reason}\n`)
    io.exitCode = state === 'passed' ? EXIT.done : EXIT.failed
  })
}

/** Follows the log of the session until it has the result. The hub ends a check after 30 minutes. */
async function endOf(started: CheckRun, session: AgentSession): Promise<CheckRun> {
  if (started.state !== 'running') return started
  for await (const { type, data } of session.log()) {
    const check = type === 'session.updated' ? data.workspace?.check : undefined
    if (check && check.terminalId === started.terminalId && check.state !== 'running') return check
  }
  return started
}

const HELP = `
A session gets a work tree of its own with: quayside run --worktree

Examples:
  quayside workspace commit - -m "Fix the login"
  quayside workspace squash - --into main
  quayside workspace pr - --title "Fix the login"
  quayside workspace check -
  quayside workspace take 4f2a9c          # of quayside run --agents`

type Wanted = { readonly wanted: string; readonly action: WorkspaceAction['action'] }

async function act({ wanted, action }: Wanted, flags: ActionFlags, io: CommandIo): Promise<void> {
  await using hub = await requireHub(flags, io)
  const sessionId = await requireSessionId(hub, wanted)
  const question = 'Remove the work tree and the branch of this session?'
  if (action === 'discard' && !flags.yes && !(await confirm(io, question))) return
  const { message, into, remote, title, body } = flags
  const input = {
    sessionId,
    action,
    ...(message !== undefined && { message }),
    ...(into !== undefined && { into }),
    ...(remote !== undefined && { remote }),
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body }),
  }
  const call = hub.client.http.call('POST /api/sessions/{sessionId}/workspace', input)
  report(await call.catch(explain), sessionId, io)
}

function report(result: WorkspaceResult, sessionId: string, io: CommandIo): void {
  const { commit, kept, output, pullRequest } = result
  if (output !== '') io.stderr.write(`${output}\n`)
  if (pullRequest) io.stderr.write(describePullRequest(pullRequest, sessionId))
  if (commit !== undefined) io.stdout.write(`${commit}\n`)
  if (kept !== undefined) io.stderr.write(`Kept as ${kept}.\n`)
}

/** Shown before it is opened. */
function describePullRequest(
  { title, body }: NonNullable<WorkspaceResult['pullRequest']>,
  sessionId: string,
): string {
  const lines = [title, ...body.split('\n')].map((line) => `  ${oneLine(line)}\n`).join('')
  return `Draft of the pull request:\n${lines}Open it with: quayside workspace pr ${sessionId}\n`
}

/** Names the files that are in the way. */
function explain(error: unknown): never {
  const paths = error instanceof ClientError ? error.details['paths'] : undefined
  if (!(error instanceof Error) || !Array.isArray(paths)) throw error
  const names = paths.map((path) => `  ${oneLine(String(path))}`).join('\n')
  throw new CommandError(`${error.message}\n${names}`, EXIT.failed, { cause: error })
}
