// Runs one command without a shell: in the client's terminal if it offers one, else as a child process.
import { spawn } from 'node:child_process'
import type { ToolCallContent } from '@agentclientprotocol/sdk'
import type { Turn } from './turn.js'

const MAX_OUTPUT_BYTES = 1024 * 1024

export interface CommandLine {
  readonly command: string
  readonly args: string[]
}

export interface CommandResult {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly output: string
}

/** Runs the command and shows it in the given tool call. Throws when it cannot be started. */
export async function runCommand(
  turn: Turn,
  toolCallId: string,
  line: CommandLine,
): Promise<CommandResult> {
  const inTerminal = turn.deps.clientCapabilities.terminal === true
  const result = inTerminal
    ? await runInTerminal(turn, toolCallId, line)
    : await runChild(turn, line)
  const content: ToolCallContent[] = [
    { type: 'content', content: { type: 'text', text: codeBlock(result.output) } },
  ]
  await turn.toolCallUpdate({
    toolCallId,
    status: result.exitCode === 0 ? 'completed' : 'failed',
    rawOutput: result,
    // The client already shows the output of its own terminal.
    ...(!inTerminal && { content }),
  })
  return result
}

/** Splits at spaces outside of quotes. No other shell syntax. */
export function parseCommandLine(text: string): CommandLine | undefined {
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)]
  const [command, ...args] = words.map(([whole, double, single]) => double ?? single ?? whole)
  return command ? { command, args } : undefined
}

export function codeBlock(text: string): string {
  return `\`\`\`\n${text.trimEnd() || '(no output)'}\n\`\`\``
}

export function describeExit({ exitCode, signal }: CommandResult): string {
  return exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `exited with code ${exitCode}`
}

async function runInTerminal(
  turn: Turn,
  toolCallId: string,
  line: CommandLine,
): Promise<CommandResult> {
  const creating = turn.deps.client.createTerminal({
    sessionId: turn.session.id,
    cwd: turn.session.cwd,
    outputByteLimit: MAX_OUTPUT_BYTES,
    ...line,
  })
  try {
    const terminal = await turn.unlessCancelled(creating)
    const content: ToolCallContent[] = [{ type: 'terminal', terminalId: terminal.id }]
    await turn.toolCallUpdate({ toolCallId, status: 'in_progress', content })
    const { exitCode, signal } = await turn.unlessCancelled(terminal.waitForExit())
    const { output } = await turn.unlessCancelled(terminal.currentOutput())
    return { exitCode: exitCode ?? null, signal: signal ?? null, output }
  } finally {
    // Also ends the command of a cancelled turn, which must not wait for the client's answers.
    creating
      .then((terminal) => terminal.release())
      .catch((error: unknown) => console.error('The terminal was not released:', error))
  }
}

async function runChild(turn: Turn, { command, args }: CommandLine): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: turn.session.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: turn.signal,
    })
    let output = Buffer.alloc(0)
    const collect = (bytes: Buffer) => {
      output = Buffer.concat([output, bytes]).subarray(-MAX_OUTPUT_BYTES)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', reject)
    child.once('close', (exitCode, signal) => {
      resolve({ exitCode, signal, output: output.toString('utf8') })
    })
  })
}
