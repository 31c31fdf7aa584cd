// `quayside agents`: lists and probes agents; login, add, rm and check have their own files. Needs no hub.
import type { Command } from 'commander'
import type { AgentRuntime } from '../../agents/agent-runtime.js'
import { Probes } from '../../agents/probe/probes.js'
import { loadConfig } from '../../config/config.js'
import { HubError } from '../../errors.js'
import { addAgentsAddCommand } from './add.js'
import { checkCommand } from './check.js'
import { addAgentsLoginCommand } from './login.js'
import { addAgentsRmCommand } from './rm.js'
import type { CommandIo } from '../io/command-io.js'
import { oneLine } from '../io/one-line.js'
import { formatTable } from '../io/table.js'
import { describeProbe } from './describe-probe.js'
import { type Agents, requireAgent, withAgents } from './with-agents.js'

type Flags = { readonly json?: boolean }

/** The same numbers as in exit-codes.ts. */
const EXIT_CODES = { ready: 0, broken: 1, needs_sign_in: 5, not_installed: 5 } as const

export function defineAgents(agents: Command, io: CommandIo): void {
  const run = (work: (agents: Agents) => Promise<void>): Promise<void> => withReport(work, io)
  agents.addHelpText(
    'after',
    `
Examples:
  quayside agents                     list agents
  quayside agents probe gemini        start it once and show what it supports
  quayside agents login gemini        sign in to it
  quayside agents add                 list the ACP registry
  quayside agents check gemini        test it with prompts that may cost money

The default is the agent of sessions that name none: QUAYSIDE_AGENT, else the
first installed one that is not the demo.`,
  )
  agents
    .command('ls', { isDefault: true })
    .alias('list')
    .description('list agents and whether they are installed')
    .option('--json', 'print JSON')
    .action((flags: Flags) => run((found) => list(found, flags, io)))
  agents
    .command('probe')
    .description('start agents once, without a prompt, and show what they support')
    .argument('[id]', 'id of the agent (default: all)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 ready, 1 does not work, 5 not installed or not signed in.',
    )
    .action((id: string | undefined, flags: Flags) =>
      run((found) => probe({ ...found, io }, id, flags)),
    )
  agents.addCommand(checkCommand(run, io).copyInheritedSettings(agents))
  addAgentsAddCommand(agents, io)
  addAgentsLoginCommand(agents, io)
  addAgentsRmCommand(agents, io)
}

/** Reports unreadable extension files first. */
async function withReport(work: (agents: Agents) => Promise<void>, io: CommandIo): Promise<void> {
  const config = loadConfig({}, io.env, io.cwd)
  await withAgents(config, io, async (agents) => {
    for (const { file, problem } of agents.broken)
      io.stderr.write(`quayside: ${file} is broken and was skipped: ${problem}\n`)
    await work(agents)
  })
}

async function list({ runtime }: Agents, { json = false }: Flags, io: CommandIo): Promise<void> {
  const { defaultId } = runtime
  const rows = runtime.extensions.list().map(({ id, name }) => ({
    id,
    name,
    isDefault: id === defaultId,
    ...installationOf(runtime, id, io.cwd),
  }))
  if (json) return print(io, JSON.stringify({ agents: rows }, null, 2))
  if (io.stdout.isTTY) return print(io, tableOf(rows, runtime, io))
  const width = Math.max(...rows.map(({ id }) => id.length))
  const lines = rows.map(({ id, state, isDefault }) => {
    const mark = isDefault ? ' (default)' : ''
    return `${id.padEnd(width)}  ${state}${mark}`
  })
  print(io, lines.join('\n'))
}

type Row = { readonly id: string; readonly isDefault: boolean } & Installation

/** For people: one row for each agent. */
function tableOf(rows: readonly Row[], { extensions }: AgentRuntime, io: CommandIo): string {
  const cells = rows.map(({ id, isDefault, isInstalled, state, command }) => {
    const { install, website } = extensions.require(id).manifest
    const how = install ?? website ?? state
    return [
      { text: id },
      isInstalled
        ? { text: isDefault ? 'default' : 'installed', style: 'green' as const }
        : { text: 'not installed', style: 'dim' as const },
      { text: oneLine(command ?? how), ...(!isInstalled && { style: 'dim' as const }) },
    ]
  })
  return formatTable(['AGENT', 'STATE', 'PROGRAM, OR HOW TO INSTALL IT'], cells, io.stdout)
}

type Installation = {
  readonly isInstalled: boolean
  readonly state: string
  readonly command?: string
}

/** Looks for the program without starting it. */
function installationOf(runtime: AgentRuntime, id: string, cwd: string): Installation {
  try {
    const { command } = runtime.launchOf(runtime.extensions.require(id), cwd)
    return { isInstalled: true, state: `installed  ${command}`, command }
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return { isInstalled: false, state: error.message }
  }
}

async function probe(
  agents: Agents & { readonly io: CommandIo },
  id: string | undefined,
  { json = false }: Flags,
): Promise<void> {
  const { runtime, io } = agents
  if (id !== undefined) requireAgent(agents, id)
  const probes = new Probes(runtime)
  const ids = id === undefined ? runtime.extensions.list().map((known) => known.id) : [id]
  const found = await Promise.all(ids.map((one) => probes.probe(one)))
  if (json) print(io, JSON.stringify(id === undefined ? { probes: found } : found[0], null, 2))
  else print(io, found.map(describeProbe).join('\n\n'))
  io.exitCode = Math.max(...found.map(({ state }) => EXIT_CODES[state]))
}

function print(io: CommandIo, text: string): void {
  io.stdout.write(`${text}\n`)
}
