// The only way the hub runs git: a fixed program without a shell, no inherited GIT_* variables, a deadline, and a limit of
// output. git-view.ts decides which settings of a repository git may read.
import { type ChildProcess, execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { Slots } from '../../slots.js'
import { findShortage } from '../../system-errors.js'

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

export class GitError extends Error {
  override readonly name = 'GitError'
  readonly code: GitErrorCode

  /** `reason` is git's own message, for logs and people. Never decide by it. */
  constructor(code: GitErrorCode, reason = '', options?: ErrorOptions) {
    super([SENTENCES[code], reason].filter(Boolean).join(' '), options)
    this.code = code
  }
}

export type GitCall = {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: Buffer
  readonly timeoutMs?: number
  readonly maxOutputBytes?: number
  /** Ends git; its reason is thrown. */
  readonly signal?: AbortSignal
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
const HARDENING = Object.entries({
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
}).flatMap(([name, value]) => ['-c', `${name}=${value}`])

const slots = new Slots(MAX_RUNNING)
const slotsOfRepo = new Map<string, Slots>()

/** Returns git's stdout. Throws a `GitError` when git fails. */
export async function runGit(args: readonly string[], call: GitCall): Promise<Buffer> {
  const program = findGit()
  if (program === undefined) throw new GitError('not_installed')
  // One repository must not hold up the others.
  const ownSlots = slotsOfRepo.get(call.cwd) ?? new Slots(MAX_RUNNING_PER_REPO)
  slotsOfRepo.set(call.cwd, ownSlots)
  try {
    return await ownSlots.run(() => slots.run(() => execute(program, args, call)))
  } finally {
    if (ownSlots.isIdle) slotsOfRepo.delete(call.cwd)
  }
}

function execute(program: string, args: readonly string[], call: GitCall): Promise<Buffer> {
  const { cwd, env, input, timeoutMs, maxOutputBytes, signal } = call
  return new Promise((resolve, reject) => {
    const child: ChildProcess = execFile(
      program,
      ['--no-optional-locks', '--no-pager', '--no-replace-objects', ...HARDENING, ...args],
      {
        cwd,
        env: { ...gitEnvironment(), ...env },
        encoding: 'buffer',
        timeout: timeoutMs ?? TIMEOUT_MS,
        killSignal: 'SIGKILL',
        maxBuffer: maxOutputBytes ?? MAX_OUTPUT_BYTES,
        windowsHide: true,
        ...(signal && { signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(signal?.aborted ? (signal.reason as Error) : toGitError(error, stderr))
      },
    )
    // git may exit before it has read all input; the callback above reports the exit.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** Without descriptors git says nothing about the repository, so that error is left as it is. */
function toGitError(error: Error & { code?: unknown; killed?: boolean }, stderr: Buffer): Error {
  if (findShortage(error) !== undefined) return error
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return new GitError('too_large', '', { cause: error })
  if (error.killed === true) return new GitError('timeout', '', { cause: error })
  const reason = stderr.toString('utf8').trim().slice(0, MAX_REASON_CHARACTERS)
  return new GitError('failed', reason, { cause: error })
}

/** Excludes variables of the hub's environment that could name a program, a repository or a secret. */
function gitEnvironment(): Record<string, string> {
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
function findGit(): string | undefined {
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
