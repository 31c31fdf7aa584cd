// `quayside send`: a prompt for a session that others watch. Ends when the hub has it.
import type { Command } from 'commander'
import { requireSessionId, SESSION_ARGUMENT } from './find-session.js'
import { addHubOption, type HubFlags, requireHub } from './hub-access.js'

type SendFlags = HubFlags & { readonly now?: boolean; readonly json?: boolean }

export function defineSend(command: Command): void {
  command
    .argument('<session>', SESSION_ARGUMENT)
    .argument('<prompt>', 'what to do')
    .option('--now', 'stop what runs and go first')
    .option('--json', 'print JSON')
  addHubOption(command)
    .addHelpText(
      'after',
      '\nExamples:\n  quayside send - "Also add tests"\n  quayside send 0199a1 "Stop, use the other file" --now',
    )
    .action(send)
}

async function send(wanted: string, prompt: string, flags: SendFlags): Promise<void> {
  await using hub = await requireHub(flags)
  const session = await hub.client.openSession(await requireSessionId(hub, wanted))
  const { turnId, seq, queued } = await session.prompt(prompt).accepted
  if (flags.now && queued) await session.queue.sendNow(turnId)
  const isWaiting = queued && !flags.now
  if (flags.json) {
    const sent = { sessionId: session.id, turnId, seq, queued: isWaiting }
    process.stdout.write(`${JSON.stringify(sent)}\n`)
  } else process.stderr.write(isWaiting ? 'It waits for its turn.\n' : 'The agent has it.\n')
}
