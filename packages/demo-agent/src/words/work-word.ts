// A complete task of a coding agent: it thinks, plans, reads, changes a file and checks the result.
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describeExit } from '../command.js'
import { editFileCall, readFileCall, runCommandCall } from '../tool-calls.js'
import type { Turn } from '../turn.js'
import { planEntries } from './tool-words.js'
import { requireText } from './word.js'
import type { Word } from './word.js'

export const WORK_WORD: Word = {
  name: 'work',
  args: 'PATH',
  does: 'thinks, plans, reads, changes a file after asking you, and checks the result',
  run: work,
}

const THOUGHT = 'First I read what is there, then I change one line and add two, then I check it.'
const STEPS = ['Read the files', 'Change the file', 'Check the result', 'Say what was done']
const FILES_READ = 3
const CHECK = { command: 'printf', args: ['\\033[32mAll checks passed.\\033[0m\\n'] }

async function work(turn: Turn, args: string) {
  const path = resolve(turn.session.cwd, requireText(args))
  for (const word of THOUGHT.split(/(?<=\s)/)) {
    await turn.think(word)
    await turn.pause(120)
  }
  await turn.plan(planEntries(STEPS, 0))
  await readFiles(turn)
  await turn.plan(planEntries(STEPS, 1))
  const edit = await editFileCall(turn, path, changed)
  await turn.plan(planEntries(STEPS, 2))
  await readFiles(turn)
  const check = await runCommandCall(turn, CHECK, { ask: false })
  await turn.plan(planEntries(STEPS, 3))
  const did = edit.is === 'written' ? `Changed ${path}.` : `Left ${path} as it was.`
  const found = check.is === 'ran' ? `The check ${describeExit(check.result)}.` : 'Nothing checked.'
  await turn.say(`${did} ${found}`)
  await turn.plan(planEntries(STEPS, 4))
}

async function readFiles(turn: Turn) {
  const { cwd } = turn.session
  const entries = await readdir(cwd, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  for (const name of names.toSorted().slice(0, FILES_READ))
    await readFileCall(turn, join(cwd, name))
}

/** One line changed, two added. */
function changed(oldText = ''): string {
  const [first = '', ...rest] = oldText.split('\n')
  return [`${first} (changed)`, 'A line of the demo agent.', 'And another one.', ...rest].join('\n')
}
