import { Command } from 'commander'
import { expect, test } from 'vitest'
import { SUBCOMMANDS } from './subcommands.js'

test.each(Object.entries(SUBCOMMANDS))('the help of %s has examples', async (name, [, load]) => {
  const command = new Command(name)
  ;(await load())(command)
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  expect(help).toContain(`Usage: ${name}`)
  expect(help).toMatch(new RegExp(`Examples:\\n.*quayside ${name}`))
})
