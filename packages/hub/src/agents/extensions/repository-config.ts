// The paths in a repository from which an agent reads settings, as its manifest declares them, and their union over all
// known extensions: one agent may write the settings of another.
import { closedObject } from '@quayside/protocol/schemas'
import { z } from 'zod'
import type { AgentConfigPaths } from '../../repos/trust.js'

const pathSchema = z
  .string()
  .regex(
    /^(?:(?!\.{1,2}(?:\/|$))[^/\\]+(?:\/(?=[^/])|$))+$/,
    'A path is relative to the repository, such as .agent or .agent/settings.json.',
  )

export const repositorySchema = closedObject({
  configPaths: z
    .array(pathSchema)
    .describe(
      'Files and folders that can make the agent run commands: settings, hooks, plugins, MCP servers. A person trusts them before an agent runs, and is asked before an agent writes one.',
    ),
  excludedPaths: z
    .array(pathSchema)
    .default([])
    .describe('Folders below `configPaths` that hold no configuration, such as work trees.'),
}).refine(
  ({ configPaths, excludedPaths }) =>
    excludedPaths.every((path) => configPaths.some((outer) => path.startsWith(`${outer}/`))),
  { path: ['excludedPaths'], error: 'Each must lie below one of configPaths.' },
)

/** Read by several agents, also by ones that no manifest describes. */
const SHARED_CONFIG_PATHS = ['.mcp.json', '.cursor']

/** A manifest that declares nothing gets the folder that most agents have. */
export function repositoryOf(
  id: string,
  manifest: { readonly repository?: AgentConfigPaths } | undefined,
): AgentConfigPaths {
  return manifest?.repository ?? { configPaths: [`.${id}`], excludedPaths: [] }
}

/** Sorted, so that the hash of a repository does not depend on the order of extensions. */
export function uniteConfigPaths(all: readonly AgentConfigPaths[]): AgentConfigPaths {
  const configPaths = all.flatMap((one) => one.configPaths)
  const excludedPaths = all.flatMap((one) => one.excludedPaths)
  return {
    configPaths: [...new Set([...SHARED_CONFIG_PATHS, ...configPaths])].toSorted(),
    excludedPaths: [...new Set(excludedPaths)].toSorted(),
  }
}
