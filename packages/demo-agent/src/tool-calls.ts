// The three main tool calls of a coding agent, shared by the tour and the words: read, edit, run.
import { relative } from 'node:path'
import type { ToolCallContent } from '@agentclientprotocol/sdk'
import { runCommand } from './command.js'
import type { CommandLine, CommandResult } from './command.js'
import { isAllowed, mayProceed } from './permission.js'
import type { PermissionAnswer } from './permission.js'
import { findText, readText, writeText } from './text-files.js'
import type { Turn } from './turn.js'

const MAX_SHOWN_CHARACTERS = 4_000

export interface Failed {
  readonly is: 'failed'
  readonly reason: string
}

export interface Declined {
  readonly is: 'declined'
  readonly answer: PermissionAnswer
}

export async function readFileCall(
  turn: Turn,
  path: string,
): Promise<{ is: 'read'; text: string } | Failed> {
  const toolCallId = turn.newToolCallId()
  const title = `Read ${shownPath(turn, path)}`
  const locations = [{ path, line: 1 }]
  const rawInput = { path }
  await turn.toolCall({
    toolCallId,
    title,
    kind: 'read',
    status: 'in_progress',
    locations,
    rawInput,
  })
  await turn.pause(120)
  try {
    const text = await readText(turn, path)
    const content = [textContent(text.slice(0, MAX_SHOWN_CHARACTERS))]
    await turn.toolCallUpdate({ toolCallId, status: 'completed', content })
    return { is: 'read', text }
  } catch (error) {
    return failCall(turn, toolCallId, error)
  }
}

/** Shows a diff, asks, and writes only when allowed. */
export async function editFileCall(
  turn: Turn,
  path: string,
  change: (oldText: string | undefined) => string,
): Promise<{ is: 'written' } | Declined | Failed> {
  const toolCallId = turn.newToolCallId()
  const title = `Edit ${shownPath(turn, path)}`
  try {
    const oldText = await findText(turn, path)
    const newText = change(oldText)
    const content: ToolCallContent[] = [{ type: 'diff', path, oldText: oldText ?? null, newText }]
    const toolCall = { toolCallId, title, kind: 'edit' as const, content, locations: [{ path }] }
    await turn.toolCall({ ...toolCall, status: 'pending', rawInput: { path } })
    const answer = await mayProceed(turn, toolCall)
    if (!isAllowed(answer)) return await declineCall(turn, toolCallId, answer)
    await turn.toolCallUpdate({ toolCallId, status: 'in_progress' })
    await writeText(turn, path, newText)
    await turn.toolCallUpdate({ toolCallId, status: 'completed' })
    return { is: 'written' }
  } catch (error) {
    return failCall(turn, toolCallId, error)
  }
}

export async function runCommandCall(
  turn: Turn,
  line: CommandLine,
  { ask }: { ask: boolean },
): Promise<{ is: 'ran'; result: CommandResult } | Declined | Failed> {
  const toolCallId = turn.newToolCallId()
  const title = [line.command, ...line.args].join(' ')
  const toolCall = { toolCallId, title, kind: 'execute' as const, rawInput: line }
  await turn.toolCall({ ...toolCall, status: 'pending' })
  try {
    const answer = ask ? await mayProceed(turn, toolCall) : 'allow_once'
    if (!isAllowed(answer)) return await declineCall(turn, toolCallId, answer)
    await turn.toolCallUpdate({ toolCallId, status: 'in_progress' })
    return { is: 'ran', result: await runCommand(turn, toolCallId, line) }
  } catch (error) {
    return failCall(turn, toolCallId, error)
  }
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } }
}

async function declineCall(
  turn: Turn,
  toolCallId: string,
  answer: PermissionAnswer,
): Promise<Declined> {
  const text = answer === 'cancelled' ? 'Nobody answered; not done.' : 'Rejected; not done.'
  await turn.toolCallUpdate({
    toolCallId,
    status: 'failed',
    rawOutput: { permission: answer, text },
  })
  return { is: 'declined', answer }
}

async function failCall(turn: Turn, toolCallId: string, error: unknown): Promise<Failed> {
  if (turn.signal.aborted) throw error
  const reason = error instanceof Error ? error.message : String(error)
  await turn.toolCallUpdate({ toolCallId, status: 'failed', content: [textContent(reason)] })
  return { is: 'failed', reason }
}

function shownPath(turn: Turn, path: string): string {
  const inside = relative(turn.session.cwd, path)
  return inside.startsWith('..') ? path : inside
}
