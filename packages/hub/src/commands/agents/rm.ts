// `quayside agents rm`: removes one of your own extensions. Shipped agents cannot be removed.
import { join } from 'node:path'
import type { Command } from 'commander'
import { userExtensionsFolder } from '../../agents/extensions/extensions.js'
import {
  findOwn,
  listOwn,
  removeOwnExtension,
} from '../../agents/extensions/own-extension-files.js'
import { loadConfig } from '../../config/config.js'
import { confirm } from '../io/ask-person.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { findRunningHub } from '../io/hub-access.js'

export function addAgentsRmCommand(agents: Command, io: CommandIo): void {
  agents
    .command('rm')
    .description('remove an agent that you added')
    .argument('<id>', 'id of the agent')
    .option('--yes', "don't ask")
    .action((id: string, flags: Flags) => remove(id, flags, io))
}

type Flags = { readonly yes?: boolean }

async function remove(id: string, { yes = false }: Flags, io: CommandIo): Promise<void> {
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  const extensions = userExtensionsFolder(dataDir)
  const folder = requireFolder(id, extensions)
  if (!yes && !(await confirm(io, `Remove "${id}" with its folder ${folder}?`))) return
  await using hub = await findRunningHub(dataDir)
  if (hub) await hub.client.agents.remove(id)
  else removeOwnExtension(extensions, id)
  io.stdout.write(`Removed ${folder}\n`)
}

function requireFolder(id: string, extensions: string): string {
  const own = findOwn(extensions, id)
  if (own !== undefined) return join(extensions, own.path)
  const ids = listOwn(extensions).map((one) => one.id)
  const known = ids.length === 0 ? 'You have added none.' : `You have added ${ids.join(', ')}.`
  const text = `"${id}" is not one of your own extensions in ${extensions}. ${known}`
  throw new CommandError(text, EXIT.failed)
}
