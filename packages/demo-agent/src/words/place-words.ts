// Words that report the agent's folders, environment and MCP servers, so that tests see what a child receives.
import { createHash } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Turn } from '../turn.js'
import { requireIntegers, UsageError } from './word.js'
import type { Word } from './word.js'

const MARKS_PER_CHUNK = 10

export const PLACE_WORDS: readonly Word[] = [
  { name: 'cwd', args: '', does: 'says where the process and the session are', run: cwd },
  { name: 'env', args: '', does: 'lists the names of its environment variables', run: env },
  { name: 'mcp', args: '', does: 'lists the MCP servers it was given, as JSON', run: mcp },
  { name: 'mcp-digest', args: '', does: 'says the SHA-256 of its MCP servers', run: mcpDigest },
  {
    name: 'digest',
    args: '…',
    does: 'says the SHA-256 of its whole prompt, as JSON with sorted keys',
    run: digest,
  },
  {
    name: 'mark',
    args: 'NAME N MS',
    does: 'appends its process and the time to marks/NAME in the repository, N times, every MS milliseconds',
    run: mark,
  },
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

async function mcpDigest(turn: Turn) {
  // Not the servers themselves: their values may be secrets.
  await turn.say(digestOf(turn.session.mcpServers))
}

async function digest(turn: Turn) {
  await turn.say(digestOf(turn.deps.prompt))
}

function digestOf(value: unknown): string {
  const json = JSON.stringify(value, (_key, part: unknown) => sorted(part))
  return createHash('sha256').update(json).digest('hex')
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The clock is the same for all processes of a machine, and nobody sets it. */
async function mark(turn: Turn, args: string) {
  const [name = '', ...rest] = args.split(/\s+/)
  if (!/^[\w-]+$/.test(name)) throw new UsageError('NAME must be letters, digits and hyphens')
  const [count = 0, intervalMs = 0] = requireIntegers(rest.join(' '), 'N', 'MS')
  const file = join(turn.session.cwd, 'marks', name)
  for (let n = 1; n <= count; n++) {
    await appendFile(file, `${process.pid} ${process.hrtime.bigint()}\n`)
    // Rarely: marks go on while nobody reads what it says.
    if (n % MARKS_PER_CHUNK === 1) await turn.say(`mark ${n}\n`)
    await turn.wait(intervalMs)
  }
}
