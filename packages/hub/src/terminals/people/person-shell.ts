// The program and the environment of a person's terminal: their login shell or a command, with the hub's environment.
import { userInfo } from 'node:os'
import { HubError } from '../../errors.js'
import { DEFAULT_PATH, isProgram } from '../terminal-launch.js'

type Environment = Readonly<Record<string, string | undefined>>

export type PersonCommand = {
  readonly label: string
  readonly command: string
  readonly args: readonly string[]
}

const MAX_LABEL_LENGTH = 80

/**
 * Removed from the environment: secrets of the hub, npm's variables for scripts (nvm refuses to work with them), and
 * variables that describe the terminal in which the hub was started.
 */
const NOT_INHERITED =
  /^(QUAYSIDE_TOKEN|QUAYSIDE_DATABASE_URL|PGPASSWORD|QUAYSIDE_OWNER|npm_.*|INIT_CWD|NODE_CHANNEL_FD|TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_PROGRAM|TERM_PROGRAM_VERSION)$/i

export function personEnvironment(env: Environment): Record<string, string> {
  const inherited = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !NOT_INHERITED.test(entry[0]),
  )
  return { ...Object.fromEntries(inherited), TERM: 'xterm-256color', COLORTERM: 'truecolor' }
}

/** Throws `command_not_found`, because the error message in a terminal that closes at once is hard to read. */
export function personCommand(
  request: { readonly command?: string; readonly args?: readonly string[] },
  cwd: string,
  env: Environment,
): PersonCommand {
  const { command = loginShell(env), args = request.command === undefined ? ['-l'] : [] } = request
  if (!isProgram(command, cwd, env['PATH'] ?? DEFAULT_PATH))
    throw new HubError('command_not_found', {
      message: `There is no program "${command}", or you are not allowed to execute it.`,
      command,
    })
  const words = request.command === undefined ? [command] : [command, ...args]
  const label = words.join(' ').replace(/^\S*\//, '')
  return { label: label.slice(0, MAX_LABEL_LENGTH), command, args }
}

function loginShell(env: Environment): string {
  return env['SHELL'] || shellOfUser() || '/bin/sh'
}

/** `userInfo` throws when the user has no entry, as in some containers. */
function shellOfUser(): string | null {
  try {
    return userInfo().shell
  } catch {
    return null
  }
}
