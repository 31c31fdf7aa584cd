// Runs git: a fixed program without a shell, no inherited GIT_* variables, a deadline, and a limit of output.
// git-view.ts decides which settings of a repository git may read; git-clone.ts alone lets git use the network.
import { type ChildProcess, execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { Slots } from '../../slots.js'
import { findShortage } from '../../system-errors.js'
import { endGit } from './end-git.js'
import { type GitProgress, readProgress, withoutProgress } from './git-progress.js'
import { watchProcess } from './stalled-process.js'

const SENTENCES = {
  not_installed: 'git is not installed, or not on the PATH.',
  not_a_repository: 'There is no git repository in this folder.',
  refused: 'This is not a path inside the repository.',
  timeout: 'git did not answer in time.',
  blocked: 'git would wait for ever for a file that is not a regular one.',
  too_large: 'git answered with more than the hub takes.',
  failed: 'git could not do it.',
} as const

export type GitErrorCode = keyof typeof SENTENCES

type Exit = { readonly code: unknown; readonly stdout: Buffer }
type GitErrorOptions = ErrorOptions & { readonly exit?: Exit }

export class GitError extends Error {
  override readonly name = 'GitError'
  readonly code: GitErrorCode
  /** The exit code and output of a command that answers by them, such as `git merge-tree`. */
  readonly exit: Exit | undefined

  /** `reason` is git's own message, for logs and people. Never decide by it. */
  constructor(code: GitErrorCode, reason = '', options: GitErrorOptions = {}) {
    super([SENTENCES[code], reason].filter(Boolean).join(' '), options)
    this.code = code
    this.exit = options.exit
  }
}

export type GitCall = {
  readonly cwd: string
  /** The repository that git looks at; `cwd` by default. */
  readonly repo?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: Buffer
  readonly timeoutMs?: number
  readonly maxOutputBytes?: number
  /** Ends git; its reason is thrown. */
  readonly signal?: AbortSignal
  /** For a command that was asked to report it. */
  readonly onProgress?: (progress: GitProgress) => void
}

const TIMEOUT_MS = 30_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const MAX_RUNNING = 8
const MAX_RUNNING_PER_REPO = 2
const MAX_REASON_CHARACTERS = 500

/**
 * A second line of defence behind git-view.ts: disables every setting that could start a program.
 * These options take precedence over every file.
 */
export const HARDENING = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.sshCommand': 'false',
  'core.gitProxy': 'false',
  'core.askPass': 'false',
  'core.pager': 'cat',
  'core.editor': 'false',
  'sequence.editor': 'false',
  'credential.helper': '',
  'gpg.program': 'false',
  'protocol.allow': 'never',
  'protocol.ext.allow': 'never',
  'safe.bareRepository': 'explicit',
  'submodule.recurse': 'false',
  'core.untrackedCache': 'false',
  'core.quotePath': 'false',
  'maintenance.auto': 'false',
  'gc.auto': '0',
}

export function toOptions(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const HARDENED = toOptions(HARDENING)

const slots = new Slots(MAX_RUNNING)
const slotsOfRepo = new Map<string, Slots>()

/** Returns git's stdout. Throws a `GitError` when git fails. */
export async function runGit(args: readonly string[], call: GitCall): Promise<Buffer> {
  const program = findGit()
  if (program === undefined) throw new GitError('not_installed')
  // One repository must not hold up the others.
  const { repo = call.cwd } = call
  const ownSlots = slotsOfRepo.get(repo) ?? new Slots(MAX_RUNNING_PER_REPO)
  slotsOfRepo.set(repo, ownSlots)
  try {
    return await ownSlots.run(() => slots.run(() => execute(program, args, call)))
  } finally {
    if (ownSlots.isIdle) slotsOfRepo.delete(repo)
  }
}

function execute(program: string, args: readonly string[], call: GitCall): Promise<Buffer> {
  const { cwd, env, input, timeoutMs, maxOutputBytes, signal, onProgress } = call
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    let isStalled = false
    const child: ChildProcess = execFile(
      program,
      ['--no-optional-locks', '--no-pager', '--no-replace-objects', ...HARDENED, ...args],
      {
        cwd,
        env: { ...gitEnvironment(), ...env },
        encoding: 'buffer',
        killSignal: 'SIGKILL',
        maxBuffer: maxOutputBytes ?? MAX_OUTPUT_BYTES,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        clearTimeout(late)
        signal?.removeEventListener('abort', end)
        stall[Symbol.dispose]()
        if (error === null) resolve(stdout)
        else if (isStalled) reject(new GitError('blocked', 'Look for pipes in its .git folder.'))
        else
          reject(signal?.aborted ? (signal.reason as Error) : toGitError(error, { stdout, stderr }))
      },
    )
    const end = (): void => endGit(child)
    const late = setTimeout(end, timeoutMs ?? TIMEOUT_MS)
    signal?.addEventListener('abort', end)
    const stall = watchProcess(child.pid, () => {
      isStalled = true
      end()
    })
    if (onProgress)
      child.stderr?.on('data', (bytes: Buffer) => {
        const progress = readProgress(bytes.toString('utf8'))
        if (progress) onProgress(progress)
      })
    // git may exit before it has read all input; the callback above reports the exit.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** Without descriptors git says nothing about the repository, so that error is left as it is. */
function toGitError(
  error: Error & { code?: unknown; killed?: boolean },
  { stdout, stderr }: { stdout: Buffer; stderr: Buffer },
): Error {
  if (findShortage(error) !== undefined) return error
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return new GitError('too_large', '', { cause: error })
  if (error.killed === true) return new GitError('timeout', '', { cause: error })
  const reason = withoutProgress(stderr.toString('utf8')).slice(0, MAX_REASON_CHARACTERS)
  const exit = { code: error.code, stdout }
  return new GitError('failed', reason, { cause: error, exit })
}

/** Undefined when git ran and failed, as for a name that does not exist. */
export async function unlessFailed<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof GitError && error.code === 'failed') return undefined
    throw error
  }
}

/** Excludes variables of the hub's environment that could name a program, a repository or a secret. */
export function gitEnvironment(): Record<string, string> {
  const { PATH = '', HOME, XDG_CONFIG_HOME, TMPDIR } = process.env
  const person = Object.entries({ HOME, XDG_CONFIG_HOME, TMPDIR }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return {
    ...Object.fromEntries(person),
    PATH: PATH.split(delimiter).filter(isAbsolute).join(delimiter),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // Progress that a command is asked for comes at once, not after two seconds.
    GIT_PROGRESS_DELAY: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_SSH_COMMAND: 'false',
    GIT_ASKPASS: 'false',
    SSH_ASKPASS: 'false',
    GIT_EDITOR: 'false',
    GIT_PAGER: 'cat',
  }
}

let foundGit: string | undefined

/** Searches absolute folders of the PATH only: `.` would be the repository. */
export function findGit(): string | undefined {
  foundGit ??= (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, 'git'))
    .find(isProgram)
  return foundGit
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

let askedVersion: Promise<number> | undefined

/** As a comparable number: 239 for 2.39. */
export function gitVersion(): Promise<number> {
  askedVersion ??= runGit(['version'], { cwd: '/' }).then((output) => {
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(output.toString('utf8')) ?? []
    return Number(major) * 100 + Number(minor)
  })
  return askedVersion
}

/** A requested path as an argument: inside the repository, and never an option or a pattern. */
export function toPathArgument(path: string): string {
  if (!isInnerPath(path)) throw new GitError('refused')
  return `./${path}`
}

/** Relative, without `..`, and outside of `.git`. A crafted index can contain other paths. */
export function isInnerPath(path: string): boolean {
  if (path === '' || path.startsWith('/') || path.includes('\0')) return false
  return path.split('/').every((name) => name !== '..' && name.toLowerCase() !== '.git')
}
