// What runs in a person's terminal: their login shell or a command, with the environment the hub was started with.
import { userInfo } from 'node:os'
import { HubError } from '../errors.js'
import { DEFAULT_PATH, isProgram } from './terminal-launch.js'

type Environment = Readonly<Record<string, string | undefined>>

export type PersonCommand = {
  readonly label: string
  readonly command: string
  readonly args: readonly string[]
}

const MAX_LABEL_LENGTH = 80

/**
 * Not for a person's programs: secrets of the hub, what npm tells its scripts (nvm refuses to work with it), and what is
 * true only of the terminal that the hub was started from.
 */
const NOT_INHERITED =
  /^(QUAYSIDE_TOKEN|QUAYSIDE_OWNER|npm_.*|INIT_CWD|NODE_CHANNEL_FD|TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_PROGRAM|TERM_PROGRAM_VERSION)$/i

export function personEnvironment(env: Environment): Record<string, string> {
  const inherited = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !NOT_INHERITED.test(entry[0]),
  )
  return { ...Object.fromEntries(inherited), TERM: 'xterm-256color', COLORTERM: 'truecolor' }
}

/** Throws `command_not_found`, so that nobody has to read it off a terminal that closed at once. */
export function personCommand(
  wish: { readonly command?: string; readonly args?: readonly string[] },
  cwd: string,
  env: Environment,
): PersonCommand {
  const { command = loginShell(env), args = wish.command === undefined ? ['-l'] : [] } = wish
  if (!isProgram(command, cwd, env['PATH'] ?? DEFAULT_PATH))
    throw new HubError('command_not_found', {
      message: `There is no program "${command}", or it may not be executed.`,
      command,
    })
  const words = wish.command === undefined ? [command] : [command, ...args]
  const label = words.join(' ').replace(/^\S*\//, '')
  return { label: label.slice(0, MAX_LABEL_LENGTH), command, args }
}

function loginShell(env: Environment): string {
  return env['SHELL'] || shellOfUser() || '/bin/sh'
}

/** Throws where the user has no entry, as in some containers. */
function shellOfUser(): string | null {
  try {
    return userInfo().shell
  } catch {
    return null
  }
}
