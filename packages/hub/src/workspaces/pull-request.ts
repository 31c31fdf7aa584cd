// Pull requests for a branch that was pushed: drafted from its commits, and opened with `gh` or `glab` by the account of the person who runs
// the hub.
import type { WorkspaceResult } from '@quayside/protocol'
import { HubError } from '../errors.js'
import { askTrustedGit, runTrusted } from '../repos/git/trusted-git.js'
import { isProgram } from '../terminals/terminal-launch.js'

export type PushedBranch = {
  readonly path: string
  readonly branch: string
  readonly base: string
  readonly remote: string
  /** The title of the session. */
  readonly title: string | null
}

type PullRequest = NonNullable<WorkspaceResult['pullRequest']>
type Draft = { readonly program: Program; readonly title: string; readonly body: string }
type Program = keyof typeof PROGRAMS

const PROGRAMS = {
  gh: { create: ['pr', 'create'], head: '--head', into: '--base', body: '--body' },
  glab: {
    create: ['mr', 'create', '--yes'],
    head: '--source-branch',
    into: '--target-branch',
    body: '--description',
  },
} as const
const MAX_COMMITS = 50

/** Undefined without `gh` and `glab`, and when the branch has no commit of its own. */
export async function draftPullRequest(pushed: PushedBranch): Promise<PullRequest | undefined> {
  const draft = await findDraft(pushed)
  if (draft === undefined) return undefined
  const { program, title, body } = draft
  const command = [program, ...argumentsOf(pushed, draft)].map(quote).join(' ')
  return { command, title, body }
}

/** Opens a pull request with the given texts, or those of the draft. Returns the program's output, which contains its address. */
export async function openPullRequest(
  pushed: PushedBranch,
  texts: { readonly title?: string | undefined; readonly body?: string | undefined },
): Promise<string> {
  const draft = await findDraft(pushed)
  if (draft === undefined) throw new HubError('git_failed', { message: NO_PROGRAM })
  const { title = draft.title, body = draft.body } = texts
  const { program } = draft
  return runTrusted(program, argumentsOf(pushed, { program, title, body }), pushed.path)
}

const NO_PROGRAM =
  'A pull request needs gh or glab where the hub runs, and a commit of the session’s own. Install and sign in to one of them, commit and push first.'

async function findDraft(pushed: PushedBranch): Promise<Draft | undefined> {
  const { path, branch, base, remote } = pushed
  const url = await askTrustedGit(['remote', 'get-url', remote], path).catch(() => remote)
  const programs = url.includes('gitlab') ? (['glab', 'gh'] as const) : (['gh', 'glab'] as const)
  const program = programs.find((name) => isProgram(name, path, process.env['PATH'] ?? ''))
  if (program === undefined) return undefined
  const range = ['--end-of-options', `${base}..${branch}`]
  const log = ['log', '--reverse', '--format=%s', `--max-count=${MAX_COMMITS}`, ...range]
  const subjects = (await askTrustedGit(log, path).catch(() => '')).split('\n').filter(Boolean)
  if (subjects[0] === undefined) return undefined
  const body = subjects.map((subject) => `- ${subject}`).join('\n')
  return { program, title: pushed.title ?? subjects[0], body }
}

function argumentsOf(
  { branch, base, remote }: PushedBranch,
  { program, title, body }: Draft,
): string[] {
  const { create, head, into, body: description } = PROGRAMS[program]
  const target = base.startsWith(`${remote}/`) ? base.slice(remote.length + 1) : base
  const branches = [head, branch, into, target]
  return [...create, ...branches, '--title', title, description, body]
}

/** Quotes an argument for a POSIX shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
