// `quayside agents add`: makes an agent of the public ACP registry an extension in the data directory. Needs no network.
import type { Command } from 'commander'
import { userExtensionsFolder } from '../../agents/extensions/extensions.js'
import { ExtensionFileError } from '../../agents/extensions/load-extension.js'
import {
  type AcpRegistryEntry,
  findShipped,
  type Imported,
  ImportError,
  importRegistryEntry,
  listRegistry,
  REGISTRY_COPY,
  requireEntry,
} from '../../agents/extensions/registry-import.js'
import { loadConfig } from '../../config/config.js'
import { type CommandIo, pathFrom } from '../io/command-io.js'
import { findRunningHub } from '../io/hub-access.js'

type AddInput = {
  readonly id?: string | undefined
  /** A registry file or one entry of it; by default the shipped copy of the registry. */
  readonly from?: string | undefined
  readonly force?: boolean | undefined
  /** Names of environment variables. */
  readonly key?: readonly string[] | undefined
}

export function addAgentsAddCommand(agents: Command, io: CommandIo): void {
  agents
    .command('add')
    .description('add an agent from the ACP registry')
    .argument('[id]', 'id of the agent (default: list all)')
    .option('--from <file>', 'a registry.json or agent.json instead of the shipped registry')
    .option('--key <name...>', 'environment variables in which the agent expects its keys')
    .option('--force', 'replace an extension with the same id')
    .action(async (id: string | undefined, flags: Omit<AddInput, 'id'>) => {
      io.exitCode = await addAgent({ ...flags, id }, io)
    })
}

/** Resolves with the exit code. */
async function addAgent(input: AddInput, io: CommandIo): Promise<number> {
  const { id, from, force = false, key: keys = [] } = input
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  const file = from === undefined ? REGISTRY_COPY : pathFrom(io, from)
  try {
    const ids = listRegistry(file)
    const wanted = id ?? (from !== undefined && ids.length === 1 ? ids[0] : undefined)
    if (wanted === undefined) {
      print(io, `Choose an agent: quayside agents add <id>\n${ids.map(listed).join('\n')}`)
      return 0
    }
    const entry = requireEntry(file, wanted)
    if (!force) requireNotShipped(wanted)
    const imported = importRegistryEntry(entry, userExtensionsFolder(dataDir), { force, keys })
    print(io, describe(entry, imported))
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
  const shipped = findShipped(id)
  if (shipped?.id === id)
    throw new ImportError(`"${id}" is shipped with Quayside. Replace it with --force.`)
  if (shipped)
    throw new ImportError(
      `"${id}" comes with Quayside as "${shipped.id}". Use that one, or add this one beside it with --force.`,
    )
}

function listed(id: string): string {
  const shipped = findShipped(id)
  if (shipped === undefined) return id
  return `${id}  (comes with Quayside${shipped.id === id ? '' : ` as ${shipped.id}`})`
}

function describe(
  { id, name, distribution }: AcpRegistryEntry,
  { folder, program, keys }: Imported,
): string {
  const from = program?.from ?? 'its publisher'
  return [
    `Added ${name}: ${folder}/manifest.json`,
    ...(program
      ? [`The program is not downloaded. Get it from ${from} and unpack it to`, `  ${program.path}`]
      : [`Its first start downloads it with ${distribution.npx ? 'npx' : 'uvx'}.`]),
    keys.length === 0
      ? 'Its keys are not known. If it needs one, name it: --force --key NAME'
      : `Keys that you can set with quayside agents login ${id}: ${keys.join(', ')}`,
  ].join('\n')
}

function print(io: CommandIo, text: string): void {
  io.stdout.write(`${text}\n`)
}
