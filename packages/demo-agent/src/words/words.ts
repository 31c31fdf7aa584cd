// All script words: chosen by the first word of a prompt, listed by `help` and as the session's commands.
import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { Turn } from '../turn.js'
import { ANSWER_WORDS } from './answer-words.js'
import { ENDING_WORDS } from './ending-words.js'
import { PLACE_WORDS } from './place-words.js'
import { QUESTION_WORDS } from './question-words.js'
import { SESSION_WORDS } from './session-words.js'
import { TEXT_WORDS } from './text-words.js'
import { TOOL_WORDS } from './tool-words.js'
import { UPDATE_WORDS } from './update-words.js'
import { WIRE_WORDS } from './wire-words.js'
import { WORK_WORD } from './work-word.js'
import { UsageError } from './word.js'
import type { PromptExtras, Word } from './word.js'

const HELP: Word = { name: 'help', args: '', does: 'lists the words', run: help }

const ABILITIES: readonly Word[] = [
  HELP,
  ...TEXT_WORDS,
  ...TOOL_WORDS,
  WORK_WORD,
  ...QUESTION_WORDS,
  ...SESSION_WORDS,
  ...PLACE_WORDS,
]

const FAULTS: readonly Word[] = [...ANSWER_WORDS, ...UPDATE_WORDS, ...WIRE_WORDS, ...ENDING_WORDS]

const WORDS: readonly Word[] = [...ABILITIES, ...FAULTS]

export interface WordCall {
  readonly word: Word
  readonly args: string
}

/** The prompt with which the page hands a conflict to an agent. */
const HANDED_CONFLICT = /^Merge the branch (\S+) into this work tree and resolve the conflicts/

/** The word that a prompt begins with, exactly as listed, or as a command with a slash. */
export function findWord(prompt: string): WordCall | undefined {
  const branch = HANDED_CONFLICT.exec(prompt)?.[1]
  const text = branch === undefined ? prompt : `merge ${branch}`
  const [, name, args = ''] = /^\/?(\S+)\s*([^]*)$/.exec(text) ?? []
  const word = WORDS.find((known) => known.name === name)
  return word && { word, args }
}

export async function runWord(turn: Turn, { word, args }: WordCall): Promise<PromptExtras | void> {
  try {
    return await word.run(turn, args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    await turn.say(`Usage: \`${usageOf(word)}\` (${word.does}). Here, ${error.message}.`)
  }
}

export function availableCommands(): AvailableCommand[] {
  return WORDS.map(({ name, args, does }) => ({
    name,
    description: does,
    ...(args && { input: { hint: args } }),
  }))
}

async function help(turn: Turn) {
  await turn.say(
    `Begin a prompt with one of these words.\n\n${table('What I can do', ABILITIES)}\n${table('How I can misbehave', FAULTS)}`,
  )
}

function table(title: string, words: readonly Word[]): string {
  const rows = words.map((word) => `| \`${usageOf(word).replaceAll('|', '\\|')}\` | ${word.does} |`)
  return `**${title}**\n\n| word | what happens |\n|---|---|\n${rows.join('\n')}\n`
}

function usageOf({ name, args }: Word): string {
  return args ? `${name} ${args}` : name
}
