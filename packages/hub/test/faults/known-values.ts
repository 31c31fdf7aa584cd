// The values that make fuzzed input meaningful: ids of sessions that may be harmed, paths that lead out, words of the demo agent.
import type { KnownValues } from './schema-values.js'
import type { Siege } from './siege.js'

const VICTIMS = 4

export type Known = KnownValues & { readonly sessionId: string[] }

export async function knownValues(siege: Siege): Promise<Known> {
  const sessions = await Promise.all(Array.from({ length: VICTIMS }, () => siege.openVictim()))
  const unknown = '01a00000-0000-7000-8000-000000000000'
  const paths = [
    'README.md',
    '../../outside.txt',
    `${siege.folder}/outside.txt`,
    '.git/config',
    '.',
    '\0',
  ]
  const sessionIds = [...sessions, ...sessions, unknown]
  return {
    'sessions.id': sessionIds,
    sessionId: sessionIds,
    'repos.id': [siege.repo.id, siege.repo.id, unknown],
    repoId: [siege.repo.id, siege.repo.id, unknown],
    'extensions.id': ['demo', 'own', 'own', 'x'],
    extensionId: ['demo', 'demo', 'own'],
    path: paths,
    cwd: paths,
    text: ['echo hi', 'ask', 'question', 'stream 20', 'tools', 'crash', 'slow 0.1'],
    command: ['true', 'x', '${NODE}'],
    prompt: [[{ type: 'text', text: 'echo hi' }], []],
    mcpServers: [[]],
    protocolVersion: [1, 0, 99],
    pid: ['99999999', 'x'],
    endpoint: ['https://127.0.0.1/x', 'http://localhost', 'x'],
  }
}

/** For a victim that the fuzz has ended or removed. Without room for one, the others serve. */
export async function addVictim(siege: Siege, { sessionId }: Known): Promise<void> {
  const id = await siege.openVictim().catch(() => undefined)
  if (id !== undefined) sessionId.push(id)
}
