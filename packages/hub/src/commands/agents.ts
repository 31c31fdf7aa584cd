// `quayside agents`: which agents there are, whether they work, and whether they keep to the protocol. Needs no hub.
import type { Command } from 'commander'
import type { AgentGround } from '../agents/agent-ground.js'
import { Probes } from '../agents/probes.js'
import { loadConfig } from '../config.js'
import { HubError } from '../errors.js'
import { addAgentsAddCommand } from './agents-add.js'
import { checkCommand } from './agents-check.js'
import { addAgentsLoginCommand } from './agents-login.js'
import { addAgentsRmCommand } from './agents-rm.js'
import { describeProbe } from './describe-probe.js'
import { type Agents, requireAgent, withAgents } from './with-agents.js'

type Flags = { readonly json?: boolean }

/** As in the rest of the command line: 1 does not work, 5 is missing or not signed in. */
const EXIT_CODES = { ready: 0, broken: 1, needs_sign_in: 5, not_installed: 5 } as const

export function defineAgents(agents: Command): void {
  agents.addHelpText(
    'after',
    `
Examples:
  quayside agents                     list them
  quayside agents probe gemini        start it once and say what it can do
  quayside agents login gemini        sign it in
  quayside agents add                 what the ACP registry has
  quayside agents check gemini        put it to the test: it is prompted, and a model may cost money`,
  )
  agents
    .command('ls', { isDefault: true })
    .alias('list')
    .description('list the agents and whether they are installed')
    .option('--json', 'print JSON')
    .action((flags: Flags) => run((found) => list(found, flags)))
  agents
    .command('probe')
    .description('start agents once and say what was found; nothing is prompted')
    .argument('[id]', 'which one (default: all)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 ready, 1 does not work, 5 not installed or not signed in.',
    )
    .action((id: string | undefined, flags: Flags) => run((found) => probe(found, id, flags)))
  agents.addCommand(checkCommand(run).copyInheritedSettings(agents))
  addAgentsAddCommand(agents)
  addAgentsLoginCommand(agents)
  addAgentsRmCommand(agents)
}

async function run(work: (agents: Agents) => Promise<void>): Promise<void> {
  const config = loadConfig({}, process.env, process.cwd())
  await withAgents(config, async (agents) => {
    for (const { file, problem } of agents.broken)
      process.stderr.write(`quayside: ${file} is broken and left out: ${problem}\n`)
    await work(agents)
  })
}

async function list({ ground }: Agents, { json = false }: Flags): Promise<void> {
  const rows = ground.extensions.list().map(({ id, name }) => ({
    id,
    name,
    ...installationOf(ground, id),
  }))
  if (json) return print(JSON.stringify({ agents: rows }, null, 2))
  const width = Math.max(...rows.map(({ id }) => id.length))
  print(rows.map(({ id, state }) => `${id.padEnd(width)}  ${state}`).join('\n'))
}

/** Looks for its program; nothing is started. */
function installationOf(
  ground: AgentGround,
  id: string,
): { readonly isInstalled: boolean; readonly state: string } {
  try {
    const { command } = ground.launchOf(ground.extensions.require(id), process.cwd())
    return { isInstalled: true, state: `installed  ${command}` }
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return { isInstalled: false, state: error.message }
  }
}

async function probe(
  agents: Agents,
  id: string | undefined,
  { json = false }: Flags,
): Promise<void> {
  const { ground } = agents
  if (id !== undefined) requireAgent(agents, id)
  const probes = new Probes(ground)
  const ids = id === undefined ? ground.extensions.list().map((known) => known.id) : [id]
  const found = await Promise.all(ids.map((one) => probes.probe(one)))
  if (json) print(JSON.stringify(id === undefined ? { probes: found } : found[0], null, 2))
  else print(found.map(describeProbe).join('\n\n'))
  process.exitCode = Math.max(...found.map(({ state }) => EXIT_CODES[state]))
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
