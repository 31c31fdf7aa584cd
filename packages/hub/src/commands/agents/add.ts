// `quayside agents add`: an agent of the public ACP registry becomes an extension in the data directory. Needs no network.
import type { Command } from 'commander'
import { pino } from 'pino'
import { Extensions, userExtensionsFolder } from '../../agents/extensions/extensions.js'
import { ExtensionFileError } from '../../agents/extensions/load-extension.js'
import {
  type Imported,
  ImportError,
  importRegistryEntry,
  listRegistry,
  REGISTRY_COPY,
  requireEntry,
} from '../../agents/extensions/registry-import.js'
import { loadConfig } from '../../config.js'
import { SHIPPED_EXTENSIONS } from '../../places.js'
import { type CommandIo, pathFrom } from '../io/command-io.js'

type AddAgent = {
  readonly id?: string | undefined
  /** A file of the registry, or with one entry of it; without it the copy that is shipped. */
  readonly from?: string | undefined
  readonly force?: boolean | undefined
}

export function addAgentsAddCommand(agents: Command, io: CommandIo): void {
  agents
    .command('add')
    .description('add an agent of the ACP registry to your own extensions')
    .argument('[id]', 'which one (without it: list them)')
    .option('--from <file>', 'a registry.json or agent.json instead of the copy that is shipped')
    .option('--force', 'replace an extension of the same id')
    .action(async (id: string | undefined, flags: Omit<AddAgent, 'id'>) => {
      io.exitCode = await addAgent({ ...flags, id }, io)
    })
}

/** Answers with the exit code: 0 when the agent was added. */
async function addAgent({ id, from, force = false }: AddAgent, io: CommandIo): Promise<number> {
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  const file = from === undefined ? REGISTRY_COPY : pathFrom(io, from)
  try {
    const ids = listRegistry(file)
    const wanted = id ?? (from !== undefined && ids.length === 1 ? ids[0] : undefined)
    if (wanted === undefined) {
      say(io, `Say which one: quayside agents add <id>\n${ids.join('\n')}`)
      return 0
    }
    const entry = requireEntry(file, wanted)
    if (!force) requireNotShipped(wanted)
    const imported = importRegistryEntry(entry, userExtensionsFolder(dataDir), { force })
    say(io, describe(entry.name, imported))
    return 0
  } catch (error) {
    if (!(error instanceof ImportError) && !(error instanceof ExtensionFileError)) throw error
    io.stderr.write(`quayside: ${error.message}\n`)
    return 1
  }
}

function requireNotShipped(id: string): void {
  const shipped = new Extensions([SHIPPED_EXTENSIONS], pino({ level: 'silent' }))
  if (shipped.list().some((extension) => extension.id === id))
    throw new ImportError(`"${id}" comes with Quayside. Put your own in its place with --force.`)
}

function describe(name: string, { folder, program }: Imported): string {
  const added = `Added ${name}: ${folder}/manifest.json`
  const next = 'Start the hub again to use it.'
  if (program === undefined) return `${added}\n${next}`
  const from = program.from === undefined ? 'its makers' : program.from
  return `${added}\nIts program is not downloaded: get it from ${from} and unpack it so that it lies at\n  ${program.path}\n${next}`
}

function say(io: CommandIo, text: string): void {
  io.stdout.write(`${text}\n`)
}
