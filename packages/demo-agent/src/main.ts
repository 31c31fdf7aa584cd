#!/usr/bin/env node
// Starts the demo agent on stdio: ACP on stdin and stdout, diagnostics on stderr. Exits when stdin ends.
import { createInterface } from 'node:readline/promises'
import { serve } from './serve.js'
import { readSettings } from './settings.js'
import type { Settings } from './settings.js'
import { SignIn } from './sign-in.js'

const WRONG_SETTINGS_EXIT_CODE = 2

function requireSettings(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(WRONG_SETTINGS_EXIT_CODE)
  }
}

/** Signs in at a person's terminal, not over ACP. */
async function signInByHand(signIn: SignIn): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  await terminal.question('Press Enter to sign in to the demo agent. ')
  signIn.authenticate('demo-login')
  console.log('You are signed in.')
  terminal.close()
}

const settings = requireSettings()
if (process.argv.includes('--sign-in')) {
  await signInByHand(new SignIn(settings))
  process.exit(0)
}
// The client disconnected: same as a closed stdin.
process.stdout.on('error', () => process.exit(0))
await serve({ settings, input: process.stdin, output: process.stdout })
process.exit(0)
