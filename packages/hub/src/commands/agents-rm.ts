// `quayside agents rm`: takes an agent out of your own extensions. Those that come with Quayside stay.
import type { Command } from 'commander'
import { userExtensionsFolder } from '../agents/extensions.js'
import { removeExtension, requireOwnExtension } from '../agents/registry-import.js'
import { loadConfig } from '../config.js'
import { isMeant } from './ask-person.js'

export function addAgentsRmCommand(agents: Command): void {
  agents
    .command('rm')
    .description('remove an agent from your own extensions')
    .argument('<id>', 'which one')
    .option('--yes', 'do not ask')
    .action(remove)
}

async function remove(id: string, { yes = false }: { readonly yes?: boolean }): Promise<void> {
  const { dataDir } = loadConfig({}, process.env, process.cwd())
  const extensions = userExtensionsFolder(dataDir)
  const folder = requireOwnExtension(id, extensions)
  if (!yes && !(await isMeant(`Remove "${id}" with its folder ${folder}?`))) return
  removeExtension(id, extensions)
  process.stdout.write(`Removed ${folder}\nStart the hub again to be without it.\n`)
}
