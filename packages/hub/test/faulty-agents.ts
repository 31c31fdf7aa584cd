// The demo agent under several ids, each with its own faults, as a folder for QUAYSIDE_EXTENSIONS.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TempFolder } from './store-fixture.js'

const DEMO = fileURLToPath(new URL('../../demo-agent/bundle/main.js', import.meta.url))
const MANIFEST = fileURLToPath(
  new URL('../../../extensions/acp/demo/manifest.json', import.meta.url),
)

/** Environments of the demo agent by extension id; returns the folder. */
export function writeFaultyAgents(
  folder: TempFolder,
  agents: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string {
  const { check } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { check: unknown }
  const extensions = Object.keys(agents).map((id) => ({
    id,
    name: id,
    type: 'acp',
    path: id,
    enabled: true,
  }))
  folder.write('agents/extensions.json', JSON.stringify({ extensions }))
  for (const [id, env] of Object.entries(agents)) {
    const state = { QUAYSIDE_DEMO_STATE_DIR: `\${DATA_DIR}/${id}`, QUAYSIDE_DEMO_PACE: '0' }
    const agent = { command: '${NODE}', args: [DEMO], env: { ...state, ...env } }
    const manifest = { id, name: id, type: 'acp', agent, check }
    folder.write(`agents/${id}/manifest.json`, JSON.stringify(manifest))
  }
  return folder.file('agents')
}
