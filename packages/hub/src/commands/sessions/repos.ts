// `quayside repos`: lists the repositories under the hub's roots.
import type { Repo } from '@quayside/protocol'
import type { Command } from 'commander'
import { oneLine } from '../io/one-line.js'
import type { CommandIo } from '../io/command-io.js'
import { addHubOption, type HubFlags, openHub } from '../io/hub-access.js'

type Flags = HubFlags & { readonly scan?: boolean; readonly json?: boolean }

export function defineRepos(repos: Command, io: CommandIo): void {
  repos.addHelpText('after', HELP)
  const ls = repos
    .command('ls', { isDefault: true })
    .description('list repositories')
    .option('--scan', 'look for new repositories first')
    .option('--json', 'print JSON')
  addHubOption(ls).action((flags: Flags) => list(flags, io))
}

const HELP = `
The hub finds every git repository under its roots (quayside start --root).

Examples:
  quayside repos
  quayside repos --scan --json`

async function list({ scan, json, ...flags }: Flags, io: CommandIo): Promise<void> {
  const write = (text: string) => void io.stdout.write(`${text}\n`)
  await using hub = await openHub(flags, io)
  const { repos } = hub.client
  const found = await (scan ? repos.scan() : repos.list())
  if (json) return write(JSON.stringify({ repos: found }, null, 2))
  if (found.length === 0)
    return write(
      'No repositories found. Start the hub with --root and the folder of your repositories.',
    )
  const width = Math.max(...found.map(({ name }) => name.length))
  write(found.map((repo) => describe(repo, width)).join('\n'))
}

function describe({ name, path, branch, missing }: Repo, width: number): string {
  const state = missing ? ' (missing)' : branch === undefined ? '' : ` (${branch})`
  return `${oneLine(name).padEnd(width)}  ${oneLine(path + state)}`
}
