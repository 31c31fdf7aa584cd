// The answer to a prompt without a script word: a tour of an agent's abilities in the hub.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describeExit } from '../command.js'
import { editFileCall, readFileCall, runCommandCall } from '../tool-calls.js'
import * as text from './tour-text.js'
import type { Turn } from '../turn.js'
import { planEntries } from '../words/tool-words.js'

const DEMO_FILE = 'quayside-demo.md'
const COMMAND = { command: 'git', args: ['status', '--short', '--branch'] }
const CHUNK_PAUSE_MS = 15

export async function giveTour(turn: Turn) {
  await stream(turn, text.THOUGHT, (chunk) => turn.think(chunk))
  await showProgress(turn, 0)
  await say(turn, text.greeting(turn.deps.prompt))
  const read = await readSomething(turn)
  await showProgress(turn, 1)
  await say(turn, text.afterReading(read))
  const edit = await proposeFile(turn)
  await showProgress(turn, 2)
  await say(turn, text.afterEdit(DEMO_FILE, edit))
  const ran = await runGit(turn)
  await showProgress(turn, 3)
  await say(turn, text.farewell({ ran, edit }))
  await showProgress(turn, 4)
}

async function showProgress(turn: Turn, done: number) {
  await turn.plan(planEntries(text.STEPS, done))
  await turn.pause(60)
}

async function readSomething(turn: Turn): Promise<text.ReadFact> {
  const name = await findReadable(turn.session.cwd)
  if (!name) return { is: 'nothing' }
  const outcome = await readFileCall(turn, join(turn.session.cwd, name))
  if (outcome.is === 'failed') return { ...outcome, name }
  return { is: 'read', name, lines: outcome.text.trimEnd().split('\n').length }
}

/** README.md, or the first file that is probably text. */
async function findReadable(cwd: string): Promise<string | undefined> {
  if (existsSync(join(cwd, 'README.md'))) return 'README.md'
  const entries = await readdir(cwd, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const candidates = names.filter((name) => name !== DEMO_FILE).toSorted()
  return (
    candidates.find((name) => /^readme/i.test(name)) ??
    candidates.find((name) => /\.(md|txt|json|toml|ya?ml|[cm]?[jt]sx?|py|rs|go)$/i.test(name))
  )
}

async function proposeFile(turn: Turn): Promise<text.EditFact> {
  const outcome = await editFileCall(turn, join(turn.session.cwd, DEMO_FILE), (oldText) =>
    text.demoFile(oldText, new Date()),
  )
  if (outcome.is !== 'declined') return outcome
  return { is: outcome.answer === 'cancelled' ? 'unanswered' : 'rejected' }
}

async function runGit(turn: Turn): Promise<string> {
  const outcome = await runCommandCall(turn, COMMAND, { ask: false })
  if (outcome.is === 'ran') return describeExit(outcome.result)
  return outcome.is === 'failed' ? `could not be started (${outcome.reason})` : 'was not run'
}

async function say(turn: Turn, markdown: string) {
  await stream(turn, markdown, (chunk) => turn.say(chunk))
}

/** Sends a few words at a time, as a model would. */
async function stream(turn: Turn, whole: string, send: (chunk: string) => Promise<void>) {
  for (const chunk of whole.match(/(?:\S+\s*){1,4}|\s+/g) ?? []) {
    await send(chunk)
    await turn.pause(CHUNK_PAUSE_MS)
  }
}
