// `quayside agents rm`: takes an agent out of your own extensions. Those that come with Quayside stay.
import { join } from 'node:path'
import type { Command } from 'commander'
import { userExtensionsFolder } from '../../agents/extensions/extensions.js'
import {
  findOwn,
  listOwn,
  removeOwnExtension,
} from '../../agents/extensions/own-extension-files.js'
import { loadConfig } from '../../config.js'
import { isMeant } from '../io/ask-person.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'

export function addAgentsRmCommand(agents: Command, io: CommandIo): void {
  agents
    .command('rm')
    .description('remove an agent from your own extensions')
    .argument('<id>', 'which one')
    .option('--yes', 'do not ask')
    .action((id: string, flags: Flags) => remove(id, flags, io))
}

type Flags = { readonly yes?: boolean }

async function remove(id: string, { yes = false }: Flags, io: CommandIo): Promise<void> {
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  const extensions = userExtensionsFolder(dataDir)
  const folder = requireFolder(id, extensions)
  if (!yes && !(await isMeant(io, `Remove "${id}" with its folder ${folder}?`))) return
  removeOwnExtension(extensions, id)
  io.stdout.write(`Removed ${folder}\nStart the hub again to be without it.\n`)
}

function requireFolder(id: string, extensions: string): string {
  const own = findOwn(extensions, id)
  if (own !== undefined) return join(extensions, own.path)
  const ids = listOwn(extensions).map((one) => one.id)
  const known = ids.length === 0 ? 'You have none.' : `You have ${ids.join(', ')}.`
  const text = `"${id}" is none of your own extensions in ${extensions}. ${known}`
  throw new CommandError(text, EXIT.failed)
}
