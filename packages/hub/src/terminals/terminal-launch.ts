// Resolves an agent's terminal/create to a command to spawn: the program, a folder inside the repository, the environment.
import { statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { delimiter, isAbsolute, resolve } from 'node:path'
import { isExecutable } from '../process/executable.js'
import { isInside } from '../repos/repos.js'
import { TerminalError } from './terminal-error.js'

/** The parameters of ACP's terminal/create. Agents omit them or send null. */
export type CreateTerminal = {
  readonly command: string
  readonly args?: readonly string[] | null
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
  readonly cwd?: string | null
  readonly outputByteLimit?: number | null
}

export type TerminalLaunch = {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly outputByteLimit: number
}

/** The real path of a session's repository, and the environment of its terminals. */
export type TerminalOptions = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

const DEFAULT_OUTPUT_BYTES = 1024 * 1024
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
/** The default of execvp(3) without PATH. */
export const DEFAULT_PATH = '/usr/bin:/bin'
const SHELL_CHARACTERS = /[\s|&;<>()$`\\"'*?[\]#~={}!]/

export async function resolveTerminal(
  request: CreateTerminal,
  options: TerminalOptions,
): Promise<TerminalLaunch> {
  const outputByteLimit = limitOf(request)
  const env = environmentOf(request, options.env)
  requireArguments(request)
  const cwd = await folderInside(options.cwd, request.cwd ?? options.cwd)
  return { ...programOf(request, cwd, env['PATH'] ?? DEFAULT_PATH), cwd, env, outputByteLimit }
}

/**
 * ACP has program and arguments, but some agents send a whole shell line as the command (`ls -la && cat x`).
 * A shell runs it. This is safe: the agent may run `/bin/sh -c` anyway, and the hub adds nothing to the line.
 */
function programOf(
  { command, args }: CreateTerminal,
  cwd: string,
  path: string,
): Pick<TerminalLaunch, 'program' | 'args'> {
  const isAlone = (args ?? []).length === 0
  if (isAlone && SHELL_CHARACTERS.test(command) && !isProgram(command, cwd, path))
    return { program: '/bin/sh', args: ['-c', command] }
  return { program: command, args: args ?? [] }
}

export function isProgram(command: string, cwd: string, path: string): boolean {
  const folders = command.includes('/') ? [''] : path.split(delimiter)
  return folders.some((folder) => isExecutable(resolve(cwd, folder, command)))
}

async function folderInside(repo: string, wanted: string): Promise<string> {
  if (!isAbsolute(wanted))
    throw new TerminalError('outside', `The working directory ${wanted} is not an absolute path.`)
  let real: string
  try {
    real = await realpath(wanted)
  } catch (error) {
    const message = `The working directory ${wanted} does not exist.`
    throw new TerminalError('outside', message, { cause: error })
  }
  if (!isInside(real, repo))
    throw new TerminalError('outside', `The working directory ${wanted} is outside ${repo}.`)
  if (!statSync(real).isDirectory())
    throw new TerminalError('invalid', `The working directory ${wanted} is not a folder.`)
  return real
}

function environmentOf(
  { env }: CreateTerminal,
  base: Readonly<Record<string, string>>,
): Record<string, string> {
  const added = (env ?? []).map(({ name, value }): [string, string] => {
    if (name === '' || /[=\0]/.test(name) || value.includes('\0'))
      throw new TerminalError(
        'invalid',
        `${JSON.stringify(name)} is not a valid name of an environment variable.`,
      )
    return [name, value]
  })
  // Object.fromEntries, because a variable may be called __proto__.
  return Object.fromEntries([...Object.entries(base), ...added])
}

function requireArguments({ command, args }: CreateTerminal): void {
  if (command.trim() === '') throw new TerminalError('invalid', 'The command is empty.')
  if ([command, ...(args ?? [])].some((text) => text.includes('\0')))
    throw new TerminalError('invalid', 'The command contains a NUL character.')
}

function limitOf({ outputByteLimit }: CreateTerminal): number {
  const limit = outputByteLimit ?? DEFAULT_OUTPUT_BYTES
  if (!Number.isInteger(limit) || limit < 0)
    throw new TerminalError('invalid', `${limit} is not a number of bytes.`)
  return Math.min(limit, MAX_OUTPUT_BYTES)
}
