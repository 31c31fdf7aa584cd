// Every subcommand has a help text with examples.
import { expect, test } from 'vitest'
import { CommandRun } from '../../test/command-run.js'
import { SUBCOMMANDS } from './subcommands.js'

test.each(Object.keys(SUBCOMMANDS))('the help of %s has examples', async (name) => {
  const { code, stdout, stderr } = await new CommandRun([name, '--help']).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`Usage: quayside ${name}`)
  expect(stdout).toMatch(new RegExp(`Examples:\\n.*quayside ${name}`))
})
