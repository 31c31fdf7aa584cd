// Serves the demo agent on a pair of streams until the client closes its side: stdio in main.ts, pipes in tests.
import { Readable } from 'node:stream'
import type { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { DemoAgent } from './agent.js'
import { ConversationStore } from './sessions/conversation-store.js'
import { answeringAnything } from './faults.js'
import { Lifetime } from './lifetime.js'
import type { Settings } from './settings.js'
import { StdoutWire } from './stdout-wire.js'
import type { Sleep } from './turn.js'
import { inWireOrder } from './wire-order.js'

export interface ServeOptions {
  readonly settings: Settings
  readonly input: Readable
  readonly output: Writable
  /** Tests pass their own, so that pauses take no time. */
  readonly sleep?: Sleep
}

export async function serve({ settings, input, output, sleep = wait }: ServeOptions) {
  const wire = new StdoutWire(output)
  const lifetime = new Lifetime()
  const store = new ConversationStore(settings.stateDir)
  const demoAgent = new DemoAgent({ settings, wire, lifetime, store, sleep })
  const bytes = Readable.toWeb(input) as ReadableStream<Uint8Array>
  const stream = inWireOrder(ndJsonStream(wire.sink(), bytes))
  const { faults } = settings
  if (faults.has('outlive-stdin')) lifetime.outliveStdin()
  const connection = demoAgent
    .app()
    .connect(faults.has('answer-anything') ? answeringAnything(stream) : stream)
  await connection.closed
  demoAgent.cancelAll()
  await lifetime.over()
}

async function wait(ms: number, signal: AbortSignal) {
  await setTimeout(ms, undefined, { signal })
}
