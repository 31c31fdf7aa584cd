// The hub's code names no agent: the manifest of an agent has all that the hub knows about it. Comments, and examples in the help of
// commands, may name one.
import { expect, test } from 'vitest'
import { type Source, sourcesOf } from './import-direction.js'
import { filesBelow } from './source-tree.js'

/** The ids of all shipped agents, except the demo, which is part of this repository. */
const AGENTS = filesBelow('extensions/acp')
  .flatMap((path) => /^extensions\/acp\/([^/]+)\/manifest\.json$/.exec(path)?.[1] ?? [])
  .filter((id) => id !== 'demo')
const NAME = new RegExp(`(?<![a-z])(?:${AGENTS.join('|')})(?![a-z])`, 'gi')
/** A setting of the hub that has the name of an agent for historical reasons. */
const SETTING = /GEMINI_PORT/g

function agentsNamedIn({ file, text }: Source): string[] {
  if (file.startsWith('commands/')) return []
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(?:^|\s)\/\/.*/g, '')
    .replaceAll(SETTING, '')
  return [...code.matchAll(NAME)].map(([name]) => `${file} names ${name}`)
}

test('the code of the hub names no agent', () => {
  expect(AGENTS.length).toBeGreaterThan(10)
  expect(sourcesOf('hub').flatMap(agentsNamedIn)).toEqual([])
})

test.each([
  ["if (extensionId === 'claude') return", ['x.ts names claude']],
  ["const FOLDERS = ['.codex', '.vscode']", ['x.ts names codex']],
  ["find('GEMINI_API_KEY')", ['x.ts names GEMINI']],
  ["find('GEMINI_PORT') // Gemini CLI 0.61 reads it too", []],
  ['/** Some agents, such as Qwen Code, do so. */ copilots()', []],
])('%s', (text, found) => {
  expect(agentsNamedIn({ file: 'x.ts', text })).toEqual(found)
})
