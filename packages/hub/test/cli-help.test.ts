// The help of every command, and hints for mistyped names.
import { expect, test } from 'vitest'
import { SUBCOMMANDS } from '../src/commands/subcommands.js'
import { CommandRun, type Ended } from './command-run.js'

function run(...args: string[]): Promise<Ended> {
  const command = new CommandRun(args)
  command.endInput()
  return command.ended
}

/** A subcommand and the commands in it, by the names in its help. */
async function commandsOf(name: string): Promise<string[][]> {
  const { stdout } = await run(name, '--help')
  const [list = ''] = stdout.split('\nCommands:\n')[1]?.split('\n\n') ?? []
  const names = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, sub]) => sub!)
  return [[name], ...names.filter((sub) => sub !== 'help').map((sub) => [name, sub])]
}

test.each(['', ...Object.keys(SUBCOMMANDS)])('the help of "%s" fits 80 columns', async (name) => {
  const names = name === '' ? [[]] : await commandsOf(name)
  for (const words of names) {
    const { code, stdout } = await run(...words, '--help')
    expect(code).toBe(0)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  }
})

test.each([
  [['sesions'], 'unknown command "sesions". Did you mean sessions?'],
  [['help', 'atach'], 'unknown command "atach". Did you mean attach?'],
  [['sessions', 'exprot', '-'], 'unknown command "exprot". Did you mean export?'],
  [['agents', 'lst'], 'unknown command "lst". Did you mean ls?'],
  [['run', '--agnet', 'x', 'y'], 'Did you mean --agent?'],
])('%j: %s', async (args, hint) => {
  expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(hint) })
})
