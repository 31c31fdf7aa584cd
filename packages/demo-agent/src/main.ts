#!/usr/bin/env node
// Starts the demo agent on stdio: ACP on stdin and stdout, diagnostics on stderr, and the end with stdin's.
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { DemoAgent } from './agent.js'
import { ConversationStore } from './conversation-store.js'
import { answeringAnything } from './faults.js'
import { Lifetime } from './lifetime.js'
import { readSettings } from './settings.js'
import { SignIn } from './sign-in.js'
import type { Settings } from './settings.js'
import { StdoutWire } from './stdout-wire.js'
import { inWireOrder } from './wire-order.js'

const WRONG_SETTINGS_EXIT_CODE = 2

function requireSettings(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(WRONG_SETTINGS_EXIT_CODE)
  }
}

/** In a terminal of a person, not over ACP. */
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
const wire = new StdoutWire(process.stdout)
const lifetime = new Lifetime()
const demoAgent = new DemoAgent({
  settings,
  wire,
  lifetime,
  store: new ConversationStore(settings.stateDir),
})

// Nobody reads any more: the same end as a closed stdin.
process.stdout.on('error', () => process.exit(0))

const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>
const stream = inWireOrder(ndJsonStream(wire.sink(), input))
const { faults } = settings
if (faults.has('outlive-stdin')) lifetime.outliveStdin()
const connection = demoAgent
  .app()
  .connect(faults.has('answer-anything') ? answeringAnything(stream) : stream)
await connection.closed
demoAgent.cancelAll()
await lifetime.over()
process.exit(0)
