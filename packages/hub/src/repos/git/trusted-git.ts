// Runs git as the person would at a terminal, with their settings, hooks, filters and keys: only in repositories that are trusted, and only
// for what a person asks for. git.ts is the way for everything else.
import { type ChildProcess, execFile } from 'node:child_process'
import { endGit } from './end-git.js'
import { GitError } from './git.js'

const TIMEOUT_MS = 120_000
const MAX_OUTPUT_BYTES = 1024 * 1024
const MAX_REASON_CHARACTERS = 2_000

type Output = { readonly stdout: string; readonly stderr: string }

/** Returns its output for people, also that of hooks. Throws a `GitError` with it when git fails. */
export async function runTrustedGit(args: readonly string[], cwd: string): Promise<string> {
  return runTrusted('git', args, cwd)
}

/** The same for a program that works with git. */
export async function runTrusted(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  return textOf(await execute({ program, args, cwd, env: {} }))
}

/** Returns its answer alone, without warnings. */
export async function askTrustedGit(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  return (await execute({ program: 'git', args, cwd, env })).stdout.trim()
}

function textOf({ stdout, stderr }: Output): string {
  return [stdout.trim(), stderr.trim()].filter(Boolean).join('\n')
}

type Call = {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

function execute({ program, args, cwd, env }: Call): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = execFile(
      program,
      args,
      {
        cwd,
        env: { ...environment(), ...env },
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
      },
      (error, stdout, stderr) => {
        clearTimeout(late)
        if (error === null) return resolve({ stdout, stderr })
        const code = error.killed === true ? 'timeout' : 'failed'
        const reason = textOf({ stdout, stderr }).slice(-MAX_REASON_CHARACTERS)
        reject(new GitError(code, reason, { cause: error }))
      },
    )
    const late = setTimeout(() => endGit(child), TIMEOUT_MS)
    // Asks nothing: there is no terminal.
    child.stdin?.end()
  })
}

/** Without variables that lead git to another repository. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: ':',
    GIT_PAGER: 'cat',
  }
}
