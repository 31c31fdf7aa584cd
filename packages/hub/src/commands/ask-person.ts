// Asks the person at the terminal: whether something is meant, which of several things, or for a secret.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError, EXIT } from './exit-codes.js'

/** Whether somebody sits here who can be asked. */
export function isPersonHere(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** Throws when nobody is here: what cannot be undone has to be said twice. */
export async function isMeant(question: string): Promise<boolean> {
  if (!isPersonHere())
    throw new CommandError(
      `${question} Nobody is here to answer: say --yes if you mean it.`,
      EXIT.usage,
    )
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `))
}

export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}

/** What is typed is not shown. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
