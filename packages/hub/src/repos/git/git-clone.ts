// Runs `git clone` with the credentials of the hub's user and without questions: no hooks, no template, one protocol.
// git and its helpers are one process group, which ends at the deadline or on request.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { findGit, GitError, gitEnvironment, HARDENING, toOptions } from './git.js'

export type CloneProgress = { readonly phase: string; readonly percent: number }

export type CloneCall = {
  readonly url: string
  /** The only protocol that git may use, also after a redirect. */
  readonly protocol: string
  /** A new folder. */
  readonly target: string
  /** Added to git's environment. */
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly onProgress: (progress: CloneProgress) => void
}

const DEADLINE_MS = 60 * 60_000
/** The person's SSH agent, and the way to the network. */
const INHERITED = [
  'SSH_AUTH_SOCK',
  ...['https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]),
]
const MAX_LINE_CHARACTERS = 1_000
const MAX_KEPT_LINES = 20
const PROGRESS = /^(?:remote: )?([A-Z][A-Za-z ]{2,40}): +(\d{1,3})%/

/** Throws a `GitError` when git fails, and the signal's reason when it was aborted. */
export async function cloneRepository(call: CloneCall): Promise<void> {
  const { url, target, signal } = call
  const program = findGit()
  if (program === undefined) throw new GitError('not_installed')
  const until = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)])
  const args = ['clone', '--progress', '--template=', '--no-local', '--', url, target]
  // The person's own credential helpers and proxy are used; nothing may ask.
  const { 'credential.helper': _helper, 'core.gitProxy': _proxy, ...hardening } = HARDENING
  const child = spawn(program, [...toOptions(hardening), ...args], {
    cwd: dirname(target),
    env: { ...cloneEnvironment(call.protocol), ...call.env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const kill = () => killGroup(child.pid)
  until.addEventListener('abort', kill, { once: true })
  const messages = new Messages(call.onProgress)
  child.stderr.setEncoding('utf8').on('data', (text: string) => messages.read(text))
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    signal.throwIfAborted()
    if (until.aborted) throw new GitError('timeout')
    if (code !== 0) throw new GitError('failed', messages.reason)
  } finally {
    until.removeEventListener('abort', kill)
  }
}

function cloneEnvironment(protocol: string): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...gitEnvironment(),
    ...(Object.fromEntries(inherited) as Record<string, string>),
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    GCM_INTERACTIVE: 'never',
    SSH_ASKPASS_REQUIRE: 'never',
  }
}

/** git starts helpers, such as ssh, which would otherwise go on. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}

/** git's stderr: progress, which overwrites its line, and messages, of which the last are kept. */
class Messages {
  readonly #onProgress: CloneCall['onProgress']
  #partial = ''
  #kept: string[] = []

  constructor(onProgress: CloneCall['onProgress']) {
    this.#onProgress = onProgress
  }

  get reason(): string {
    return [...this.#kept, this.#partial].filter(Boolean).join(' ').slice(-MAX_LINE_CHARACTERS)
  }

  read(text: string): void {
    const lines = (this.#partial + text).split(/[\r\n]/)
    this.#partial = (lines.pop() ?? '').slice(0, MAX_LINE_CHARACTERS)
    for (const line of lines) this.#readLine(line.slice(0, MAX_LINE_CHARACTERS).trim())
  }

  #readLine(line: string): void {
    const [, phase, percent] = PROGRESS.exec(line) ?? []
    if (phase !== undefined)
      return this.#onProgress({ phase, percent: Math.min(Number(percent), 100) })
    if (line === '' || line.startsWith('Cloning into')) return
    this.#kept = [...this.#kept, line].slice(-MAX_KEPT_LINES)
  }
}
