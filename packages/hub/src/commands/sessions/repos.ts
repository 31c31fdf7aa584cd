// `quayside repos`: lists the repositories of the hub; repos-add.ts adds one.
import type { Repo } from '@quayside/protocol'
import type { Command } from 'commander'
import { oneLine } from '../io/one-line.js'
import type { CommandIo } from '../io/command-io.js'
import { addHubOption, type HubFlags, openHub } from '../io/hub-access.js'
import { defineReposAdd } from './repos-add.js'

type Flags = HubFlags & { readonly scan?: boolean; readonly json?: boolean }

export function defineRepos(repos: Command, io: CommandIo): void {
  repos.addHelpText('after', HELP)
  const ls = repos
    .command('ls', { isDefault: true })
    .description('list repositories')
    .option('--scan', 'look for new repositories first')
    .option('--json', 'print JSON')
  addHubOption(ls).action((flags: Flags) => list(flags, io))
  defineReposAdd(repos, io)
}

const HELP = `
The hub finds every git repository under its roots (quayside start --root).
Add others by their path, or clone one into a root.

Examples:
  quayside repos
  quayside repos --scan --json
  quayside repos add ~/elsewhere/project
  quayside repos add https://example.com/project.git`

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

function describe({ name, path, branch, missing, hub }: Repo, width: number): string {
  const state = missing ? ' (missing)' : branch === undefined ? '' : ` (${branch})`
  const machine = hub === undefined ? '' : `${hub.name}:`
  return `${oneLine(name).padEnd(width)}  ${oneLine(machine + path + state)}`
}
