// Asks the person at the terminal to confirm, to choose, or for a secret.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { CommandIo } from './command-io.js'
import { CommandError, EXIT } from './exit-codes.js'

/** True when stdin and stderr are a terminal, so that a person can answer. */
export function isAtTerminal({ stdin, stderr }: CommandIo): boolean {
  return (stdin.isTTY && stderr.isTTY) === true
}

/** Asks for a yes before something that cannot be undone. Throws without a terminal. */
export async function confirm(io: CommandIo, question: string): Promise<boolean> {
  if (!isAtTerminal(io))
    throw new CommandError(
      `${question} There is no terminal to answer at. Confirm with --yes.`,
      EXIT.usage,
    )
  return /^y(es)?$/i.test(await ask(io, `${question} [y/N] `))
}

export async function ask(io: CommandIo, question: string): Promise<string> {
  const lines = createInterface({ input: io.stdin, output: io.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}

/** Does not show the typed text. */
export async function askSecret(io: CommandIo, question: string): Promise<string> {
  io.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: io.stdin, output: nowhere, terminal: true })
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    io.stderr.write('\n')
  }
}
