// Asks the person at the terminal: whether something is meant, which of several things, or for a secret.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { CommandIo } from './command-io.js'
import { CommandError, EXIT } from './exit-codes.js'

/** Whether somebody sits here who can be asked. */
export function isPersonHere({ stdin, stderr }: CommandIo): boolean {
  return (stdin.isTTY && stderr.isTTY) === true
}

/** Throws when nobody is here: what cannot be undone has to be said twice. */
export async function isMeant(io: CommandIo, question: string): Promise<boolean> {
  if (!isPersonHere(io))
    throw new CommandError(
      `${question} Nobody is here to answer: say --yes if you mean it.`,
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

/** What is typed is not shown. */
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
