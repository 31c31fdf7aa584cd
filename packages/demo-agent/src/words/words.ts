// All script words: found by the first word of a prompt, listed by `help` and as commands of the client.
import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { Turn } from '../turn.js'
import { FAULT_WORDS } from './fault-words.js'
import { QUESTION_WORDS } from './question-words.js'
import { SESSION_WORDS } from './session-words.js'
import { TEXT_WORDS } from './text-words.js'
import { TOOL_WORDS } from './tool-words.js'
import { UsageError } from './word.js'
import type { PromptExtras, Word } from './word.js'

const HELP: Word = { name: 'help', args: '', does: 'lists the words', run: help }

export const WORDS: readonly Word[] = [
  HELP,
  ...TEXT_WORDS,
  ...TOOL_WORDS,
  ...QUESTION_WORDS,
  ...SESSION_WORDS,
  ...FAULT_WORDS,
]

export interface WordCall {
  readonly word: Word
  readonly args: string
}

/** The word a prompt begins with, exactly as listed, or as a command with a slash. */
export function findWord(prompt: string): WordCall | undefined {
  const [, name, args = ''] = /^\/?(\S+)\s*([^]*)$/.exec(prompt) ?? []
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
  const rows = WORDS.map((word) => `| \`${usageOf(word).replaceAll('|', '\\|')}\` | ${word.does} |`)
  await turn.say(
    `Begin a prompt with one of these words:\n\n| word | what I do |\n|---|---|\n${rows.join('\n')}\n`,
  )
}

function usageOf({ name, args }: Word): string {
  return args ? `${name} ${args}` : name
}
