// Words that tell where the agent was started and with what, so that tests see what reaches a child.
import type { Turn } from '../turn.js'
import type { Word } from './word.js'

export const PLACE_WORDS: readonly Word[] = [
  { name: 'cwd', args: '', does: 'says where the process and the session are', run: cwd },
  { name: 'env', args: '', does: 'lists the names of its environment variables', run: env },
  { name: 'mcp', args: '', does: 'lists the MCP servers it was given, as JSON', run: mcp },
]

async function cwd(turn: Turn) {
  await turn.say(`process ${process.cwd()}\nsession ${turn.session.cwd}`)
}

async function env(turn: Turn) {
  // Names only: the values may be secrets.
  await turn.say(Object.keys(process.env).toSorted().join('\n'))
}

async function mcp(turn: Turn) {
  await turn.say(JSON.stringify(turn.session.mcpServers.map(({ name }) => name)))
}
