// The agent of a session that names none: on every way to start one, and by the setting.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgentChatClient } from '@quayside/client'
import type { Extension, SessionSummary } from '@quayside/protocol'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIPPED_EXTENSIONS } from '../src/places.js'
import { AcpTestClient, webSocketStream } from './acp-test-client.js'
import { CliFolder } from './cli-folder.js'
import { ExtensionsFolder } from './extensions-folder.js'
import { TOKEN, type TestHub } from './test-hub.js'

const DEMO = join(SHIPPED_EXTENSIONS, '../packages/demo-agent/bundle/main.js')

type Entry = { readonly id: string; readonly path: string }
const { extensions: SHIPPED } = JSON.parse(
  readFileSync(join(SHIPPED_EXTENSIONS, 'extensions.json'), 'utf8'),
) as { extensions: Entry[] }

/** Only the demo agent and, if named, an agent whose program is the demo agent's: other programs of this machine do not count. */
function onlyInstalled(id?: string): ExtensionsFolder {
  const folder = new ExtensionsFolder()
  const entries = SHIPPED.filter((entry) => entry.id !== 'demo')
  folder.write('extensions.json', {
    extensions: entries.map((entry) => ({ ...entry, enabled: entry.id === id })),
  })
  const state = { QUAYSIDE_DEMO_STATE_DIR: '${DATA_DIR}/other' }
  for (const entry of entries)
    folder.write(`${entry.path}/manifest.json`, {
      id: entry.id,
      name: entry.id,
      type: 'acp',
      agent: { command: '${NODE}', args: [DEMO], env: state },
    })
  return folder
}

let cli: CliFolder
let hub: TestHub
let others: ExtensionsFolder
beforeAll(async () => {
  others = onlyInstalled('gemini')
  const env = { QUAYSIDE_AGENT: '', QUAYSIDE_EXTENSIONS: others.path, AGENT_MAX_SESSIONS: '10' }
  cli = new CliFolder(env)
  hub = await cli.startHub({ env, sharesAgent: false })
})
afterAll(async () => {
  await cli[Symbol.asyncDispose]()
  others[Symbol.dispose]()
})

test('an installed agent is started instead of the demo, and the answer names it', async () => {
  const { id: repoId } = await hub.firstRepo()
  const created = (await (await hub.post('/api/sessions', { repoId })).json()) as SessionSummary
  expect(created.extensionId).toBe('gemini')

  await using client = new AgentChatClient({ url: hub.hub.address, token: TOKEN, WebSocket })
  expect((await client.newSession({ repo: repoId })).info.extensionId).toBe('gemini')

  const editor = await AcpTestClient.connect(webSocketStream(hub.hub.address))
  const opened = await editor.agent.request('session/new', { cwd: cli.repo, mcpServers: [] })
  expect(opened).toMatchObject({ _meta: { quayside: { extensionId: 'gemini' } } })
  editor.connection.close()

  const { extensions } = await hub.get<{ extensions: Extension[] }>('/api/extensions')
  expect(extensions.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual(['gemini'])
})

test('`run` names the agent that it chose, and the way to another', async () => {
  const chosen = await cli.run(['run', 'echo hello'])
  expect(chosen).toMatchObject({ code: 0, stdout: 'hello\n' })
  expect(chosen.stderr).toMatch(/^● gemini · shop-api/)
  expect(chosen.stderr).toContain('For another agent use --agent or QUAYSIDE_AGENT.')
  const named = await cli.run(['run', 'echo hello', '--agent', 'demo'])
  expect(named.stderr).toMatch(/^● demo · /)
  expect(named.stderr).not.toContain('QUAYSIDE_AGENT')
  const detached = await cli.run(['run', 'echo hello', '--detach', '--json'])
  expect(JSON.parse(detached.stdout)).toMatchObject({ extensionId: 'gemini' })
})

test('QUAYSIDE_AGENT chooses, and the demo is left when no other agent is installed', async () => {
  expect(await defaultOf({})).toEqual(['gemini'])
  expect(await defaultOf({ QUAYSIDE_AGENT: 'demo' })).toEqual(['demo'])
  using none = onlyInstalled()
  expect(await defaultOf({ QUAYSIDE_EXTENSIONS: none.path })).toEqual(['demo'])
})

test('an agent that does not exist, or is disabled, stops the start by its name', async () => {
  const start = (agent: string) =>
    cli.run(['start', '--port', '0'], {
      env: { QUAYSIDE_AGENT: agent, QUAYSIDE_DATA_DIR: join(cli.path, 'unused') },
    })
  const { code, stderr } = await start('gemni')
  expect(code).not.toBe(0)
  expect(stderr).toContain('QUAYSIDE_AGENT is "gemni"; allowed is one of demo, gemini.')
  expect((await start('claude')).stderr).toContain('QUAYSIDE_AGENT is "claude"')
})

async function defaultOf(env: Record<string, string>): Promise<string[]> {
  const { stdout } = await cli.run(['agents', '--json'], { env })
  const { agents } = JSON.parse(stdout) as { agents: { id: string; isDefault: boolean }[] }
  return agents.filter(({ isDefault }) => isDefault).map(({ id }) => id)
}
