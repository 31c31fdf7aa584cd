// `quayside agents add`: makes an agent of the public ACP registry an extension in the data directory. Needs no network.
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
import { findRunningHub } from '../io/hub-access.js'

type AddInput = {
  readonly id?: string | undefined
  /** A registry file or one entry of it; by default the shipped copy of the registry. */
  readonly from?: string | undefined
  readonly force?: boolean | undefined
}

export function addAgentsAddCommand(agents: Command, io: CommandIo): void {
  agents
    .command('add')
    .description('add an agent from the ACP registry')
    .argument('[id]', 'id of the agent (default: list all)')
    .option('--from <file>', 'a registry.json or agent.json instead of the shipped registry')
    .option('--force', 'replace an extension with the same id')
    .action(async (id: string | undefined, flags: Omit<AddInput, 'id'>) => {
      io.exitCode = await addAgent({ ...flags, id }, io)
    })
}

/** Resolves with the exit code. */
async function addAgent({ id, from, force = false }: AddInput, io: CommandIo): Promise<number> {
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  const file = from === undefined ? REGISTRY_COPY : pathFrom(io, from)
  try {
    const ids = listRegistry(file)
    const wanted = id ?? (from !== undefined && ids.length === 1 ? ids[0] : undefined)
    if (wanted === undefined) {
      print(io, `Choose an agent: quayside agents add <id>\n${ids.join('\n')}`)
      return 0
    }
    const entry = requireEntry(file, wanted)
    if (!force) requireNotShipped(wanted)
    const imported = importRegistryEntry(entry, userExtensionsFolder(dataDir), { force })
    print(io, describe(entry.name, imported))
    print(io, await notifyHub(dataDir, wanted))
    return 0
  } catch (error) {
    if (!(error instanceof ImportError) && !(error instanceof ExtensionFileError)) throw error
    io.stderr.write(`quayside: ${error.message}\n`)
    return 1
  }
}

/** A running hub loads the extension at once. */
async function notifyHub(dataDir: string, extensionId: string): Promise<string> {
  await using hub = await findRunningHub(dataDir)
  if (hub === undefined) return 'The hub uses it from its next start.'
  await hub.client.http.call('POST /api/extensions/{extensionId}/reload', { extensionId })
  return 'The running hub uses it from now on.'
}

function requireNotShipped(id: string): void {
  const shipped = new Extensions([SHIPPED_EXTENSIONS], pino({ level: 'silent' }))
  if (shipped.list().some((extension) => extension.id === id))
    throw new ImportError(`"${id}" is shipped with Quayside. Replace it with --force.`)
}

function describe(name: string, { folder, program }: Imported): string {
  const added = `Added ${name}: ${folder}/manifest.json`
  if (program === undefined) return added
  const from = program.from === undefined ? 'its publisher' : program.from
  return `${added}\nThe program is not downloaded. Get it from ${from} and unpack it to\n  ${program.path}`
}

function print(io: CommandIo, text: string): void {
  io.stdout.write(`${text}\n`)
}
