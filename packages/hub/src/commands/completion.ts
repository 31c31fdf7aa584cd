// `quayside completion`: prints a script for a shell. The script asks this command for the words that may follow, which it takes from
// the tree of commands and from the running hub.
import { Command, type Option } from 'commander'
import type { CommandIo } from './io/command-io.js'
import { shortIds } from './io/find-session.js'
import { findHub, type HubAccess } from './io/hub-access.js'
import { SUBCOMMANDS } from './subcommands.js'

/** A colon before each word: commander would read a word such as --help as an option. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_quayside() {
  local IFS=$'\\n' words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(quayside completion words "\${words[@]/#/:}" 2>/dev/null))
}
complete -o default -F _quayside quayside
`,
  zsh: `#compdef quayside
_quayside() {
  local -a found
  found=(\${(f)"$(quayside completion words "\${(@)words[2,CURRENT]/#/:}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _quayside quayside
`,
  fish: `function __quayside_words
  set -l words (commandline -opc) (commandline -ct)
  quayside completion words :$words[2..] 2>/dev/null
end
complete -c quayside -a '(__quayside_words)'
`,
}

export function defineCompletion(completion: Command, io: CommandIo): void {
  completion.addHelpText('after', HELP)
  for (const [shell, script] of Object.entries(SCRIPTS))
    completion
      .command(shell)
      .description(`print the script for ${shell}`)
      .action(() => void io.stdout.write(script))
  completion
    .command('words', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const found = await complete(
        words.map((word) => word.slice(1)),
        io,
      )
      io.stdout.write(found.map((word) => `${word}\n`).join(''))
    })
}

const HELP = `
Examples:
  echo 'eval "$(quayside completion bash)"' >> ~/.bashrc
  echo 'eval "$(quayside completion zsh)"' >> ~/.zshrc       # after compinit
  quayside completion fish > ~/.config/fish/completions/quayside.fish`

/** The words that may take the place of the last one. */
async function complete(words: readonly string[], io: CommandIo): Promise<readonly string[]> {
  const typed = words.at(-1) ?? ''
  const [name, ...before] = words.slice(0, -1)
  const found = name === undefined ? Object.keys(SUBCOMMANDS) : await following(name)
  return found.filter((word) => word.startsWith(typed))

  async function following(called: string): Promise<readonly string[]> {
    const [, load] = SUBCOMMANDS[called] ?? []
    if (load === undefined) return []
    const group = new Command(called)
    const define = await load()
    define(group, io)
    return wordsOf(group, { before, typed, io })
  }
}

type Typing = { readonly before: readonly string[]; readonly typed: string; readonly io: CommandIo }

async function wordsOf(group: Command, { before, typed, io }: Typing): Promise<readonly string[]> {
  const commands = group.createHelp().visibleCommands(group)
  const called = commands.find((command) => command.name() === before[0])
  const command = called ?? commands.find(isDefault) ?? group
  const given = called ? before.slice(1) : before
  const option = command.options.find((one) => one.required && one.long === given.at(-1))
  if (option) return option.argChoices ?? (await idsOf(option.attributeName(), typed, io))
  if (typed.startsWith('-')) return command.options.flatMap((one) => one.long ?? [])
  const names = before.length === 0 ? commands.map((one) => one.name()) : []
  const argument = command.registeredArguments[countArguments(given, command.options)]
  return [...names, ...(argument ? await idsOf(argument.name(), typed, io) : [])]
}

function isDefault(command: Command): boolean {
  return ['ls', 'list', 'show'].includes(command.name())
}

function countArguments(words: readonly string[], options: readonly Option[]): number {
  const takesValue = (word: string | undefined): boolean =>
    options.some((option) => option.required && option.long === word)
  return words.filter((word, at) => !word.startsWith('--') && !takesValue(words[at - 1])).length
}

/** Ids by the name of the option or argument. None without a running hub. */
const IDS: Readonly<Record<string, (hub: HubAccess, typed: string) => Promise<readonly string[]>>> =
  {
    session: async ({ client }) => {
      const { sessions } = await client.sessions.list({ limit: 100 })
      return shortIds(sessions.map(({ id }) => id))
    },
    agent: agentIds,
    // The last one of a list with commas.
    agents: async (hub, typed) => {
      const before = typed.slice(0, typed.lastIndexOf(',') + 1)
      return (await agentIds(hub)).map((id) => before + id)
    },
    id: agentIds,
    repo: async ({ client }) => (await client.repos.list()).map(({ name }) => name),
  }

async function agentIds({ client }: HubAccess): Promise<readonly string[]> {
  return (await client.agents.list()).map(({ id }) => id)
}

async function idsOf(name: string, typed: string, io: CommandIo): Promise<readonly string[]> {
  const list = IDS[name]
  if (list === undefined) return []
  await using hub = await findHub({}, io)
  return hub ? list(hub, typed) : []
}
