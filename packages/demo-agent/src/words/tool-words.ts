// Words that plan and use tools.
import { resolve } from 'node:path'
import type { PlanEntry } from '@agentclientprotocol/sdk'
import { codeBlock, describeExit, parseCommandLine } from '../command.js'
import { editFileCall, readFileCall, runCommandCall, textContent } from '../tool-calls.js'
import { mayProceed } from '../permission.js'
import type { Declined, Failed } from '../tool-calls.js'
import type { Turn } from '../turn.js'
import { requireIntegers, requireText, UsageError } from './word.js'
import type { Word } from './word.js'

/** The answer repeats so many lines of a command's output. */
const ANSWER_LINES = 20

export const TOOL_WORDS: readonly Word[] = [
  { name: 'plan', args: '', does: 'a plan of three steps that get done one by one', run: plan },
  {
    name: 'tools',
    args: '',
    does: 'four tool calls: two at the same time, one whose update comes before it, one that fails',
    run: tools,
  },
  { name: 'read', args: 'PATH', does: 'reads a file', run: read },
  { name: 'edit', args: 'PATH', does: 'adds a line to a file, after asking you', run: edit },
  {
    name: 'propose',
    args: 'LINES CHANGED',
    does: 'proposes an edit of a text of LINES lines that changes the last CHANGED of them; writes nothing',
    run: propose,
  },
  { name: 'run', args: 'CMD…', does: 'runs a command without a shell, after asking you', run },
  {
    name: 'merge',
    args: 'BRANCH',
    does: 'merges a branch into the work tree, after asking you; in a conflict its own side stays',
    run: merge,
  },
]

/** The same steps with `done` of them completed and the next one in progress. */
export function planEntries(steps: readonly string[], done: number): PlanEntry[] {
  return steps.map((content, index) => ({
    content,
    priority: index === 0 ? 'high' : 'medium',
    status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
  }))
}

async function plan(turn: Turn) {
  const steps = ['Look around', 'Make the change', 'Check the result']
  for (let done = 0; done <= steps.length; done++) {
    await turn.plan(planEntries(steps, done))
    await turn.pause(100)
  }
  await turn.say('The plan is done.')
}

async function tools(turn: Turn) {
  const reading = turn.newToolCallId()
  const searching = turn.newToolCallId()
  const early = turn.newToolCallId()
  const failing = turn.newToolCallId()
  await turn.toolCall({ toolCallId: reading, title: 'Read a', kind: 'read', status: 'in_progress' })
  await turn.toolCall({
    toolCallId: searching,
    title: 'Search b',
    kind: 'search',
    status: 'pending',
  })
  await turn.toolCallUpdate({ toolCallId: searching, status: 'in_progress' })
  await turn.toolCallUpdate({ toolCallId: reading, content: [textContent('half of a')] })
  await turn.toolCallUpdate({
    toolCallId: searching,
    status: 'completed',
    content: [textContent('b')],
  })
  await turn.toolCallUpdate({
    toolCallId: reading,
    status: 'completed',
    content: [textContent('a')],
  })
  await turn.toolCallUpdate({
    toolCallId: early,
    status: 'in_progress',
    content: [textContent('c')],
  })
  await turn.toolCall({ toolCallId: early, title: 'Fetch c', kind: 'fetch', status: 'in_progress' })
  await turn.toolCallUpdate({ toolCallId: early, status: 'completed' })
  await turn.toolCall({
    toolCallId: failing,
    title: 'Run d',
    kind: 'execute',
    status: 'in_progress',
  })
  await turn.toolCallUpdate({
    toolCallId: failing,
    status: 'failed',
    content: [textContent('d: command not found')],
    rawOutput: { exitCode: 127 },
  })
  await turn.say('Three tool calls completed, one failed.')
}

async function read(turn: Turn, args: string) {
  const path = resolve(turn.session.cwd, requireText(args))
  const outcome = await readFileCall(turn, path)
  if (outcome.is === 'failed') return turn.say(`Could not read ${path}: ${outcome.reason}`)
  await turn.say(`Read ${path}: ${outcome.text.length} characters.\n\n${codeBlock(outcome.text)}`)
}

async function edit(turn: Turn, args: string) {
  const path = resolve(turn.session.cwd, requireText(args))
  const outcome = await editFileCall(
    turn,
    path,
    (oldText = '') => `${oldText}Edited by the Quayside demo agent.\n`,
  )
  await turn.say(
    outcome.is === 'written' ? `Wrote ${path}.` : `Did not write ${path}: ${why(outcome)}.`,
  )
}

async function propose(turn: Turn, args: string) {
  const [count = 0, changed = 0] = requireIntegers(args, 'LINES', 'CHANGED')
  const path = resolve(turn.session.cwd, 'proposed.txt')
  const text = (word: string) =>
    Array.from({ length: count }, (_, at) => {
      const isKept = at < count - changed
      return `line ${at + 1} ${isKept ? 'stays' : word} ${'.'.repeat(48)}\n`
    }).join('')
  const answer = await mayProceed(turn, {
    toolCallId: turn.newToolCallId(),
    title: 'Edit proposed.txt',
    kind: 'edit',
    content: [{ type: 'diff', path, oldText: text('was'), newText: text('becomes') }],
    locations: [{ path }],
    rawInput: { path },
  })
  await turn.say(`The answer is ${answer}.`)
}

async function run(turn: Turn, args: string) {
  const line = parseCommandLine(args)
  if (!line) throw new UsageError('a command is missing')
  const outcome = await runCommandCall(turn, line, { ask: true })
  if (outcome.is !== 'ran') return turn.say(`Did not run ${line.command}: ${why(outcome)}.`)
  const { result } = outcome
  const end = result.output.trimEnd().split('\n').slice(-ANSWER_LINES).join('\n')
  await turn.say(`\`${line.command}\` ${describeExit(result)}.\n\n${codeBlock(end)}`)
}

async function merge(turn: Turn, args: string) {
  const branch = requireText(args)
  const line = { command: 'git', args: ['merge', '--no-edit', '-X', 'ours', branch] }
  const outcome = await runCommandCall(turn, line, { ask: true })
  if (outcome.is !== 'ran') return turn.say(`Did not merge ${branch}: ${why(outcome)}.`)
  const isMerged = outcome.result.exitCode === 0
  await turn.say(isMerged ? `Merged ${branch}.` : `Could not merge ${branch}.`)
}

function why(outcome: Declined | Failed): string {
  if (outcome.is === 'failed') return outcome.reason
  return outcome.answer === 'cancelled' ? 'cancelled' : 'rejected'
}
