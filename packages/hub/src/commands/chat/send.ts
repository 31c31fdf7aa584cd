// `quayside send`: sends a prompt to a session and ends when the hub has accepted it.
import type { Command } from 'commander'
import type { CommandIo } from '../io/command-io.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, type HubFlags, requireHub } from '../io/hub-access.js'
import { addMakeRoomOption, promptWithRoom } from '../io/make-room.js'

type SendFlags = HubFlags & {
  readonly now?: boolean
  readonly makeRoom?: boolean
  readonly json?: boolean
}

export function defineSend(command: Command, io: CommandIo): void {
  command
    .argument('<session>', SESSION_ARGUMENT)
    .argument('<prompt>', 'the prompt')
    .option('--now', 'stop the running turn and send this first')
    .option('--json', 'print JSON')
  addHubOption(addMakeRoomOption(command))
    .addHelpText(
      'after',
      '\nExamples:\n  quayside send - "Also add tests"\n  quayside send 7d1f0c "Stop, use the other file" --now',
    )
    .action((session: string, prompt: string, flags: SendFlags) =>
      send({ session, prompt }, flags, io),
    )
}

type SendInput = { readonly session: string; readonly prompt: string }

async function send(input: SendInput, flags: SendFlags, io: CommandIo): Promise<void> {
  await using hub = await requireHub(flags, io)
  const session = await hub.client.openSession(await requireSessionId(hub, input.session))
  const sending = { session, text: input.prompt }
  const { turnId, seq, queued } = await promptWithRoom(sending, flags, io)
  if (flags.now && queued) await session.queue.sendNow(turnId)
  const isWaiting = queued && !flags.now
  if (flags.json) {
    const sent = { sessionId: session.id, turnId, seq, queued: isWaiting }
    io.stdout.write(`${JSON.stringify(sent)}\n`)
  } else io.stderr.write(isWaiting ? 'Queued: the agent is busy.\n' : 'Sent.\n')
}
