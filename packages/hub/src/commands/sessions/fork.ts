// `quayside fork`: a new session with the conversation and the files of another one up to a turn.
import type { Command } from 'commander'
import type { CommandIo } from '../io/command-io.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, type HubFlags, requireHub } from '../io/hub-access.js'
import { addMakeRoomOption, withRoom } from '../io/make-room.js'
import { oneLine } from '../io/one-line.js'

type ForkFlags = HubFlags & {
  readonly turn?: string
  readonly before?: boolean
  readonly title?: string
  readonly makeRoom?: boolean
  readonly json?: boolean
}

export function defineFork(command: Command, io: CommandIo): void {
  command
    .argument('<session>', SESSION_ARGUMENT)
    .option('--turn <id>', 'the last turn that the fork has (default: the last that has ended)')
    .option('--before', 'begin before the turn, with the files as they were then')
    .option('--title <text>', 'the title of the fork (default: that of the session)')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((wanted: string, flags: ForkFlags) => fork(wanted, flags, io))
  addHubOption(addMakeRoomOption(command))
}

const HELP = `
The fork has a git work tree and a branch of its own. The session goes on as it
was. Without --turn the fork begins with the files as they are now.

Examples:
  quayside fork -
  quayside fork 7d1f0c --turn 01a1ec85 --title "Another way"
  quayside run "Try it with a map" --session "$(quayside fork -)"`

async function fork(wanted: string, flags: ForkFlags, io: CommandIo): Promise<void> {
  await using hub = await requireHub(flags, io)
  const { turn, before, title } = flags
  const input = {
    sessionId: await requireSessionId(hub, wanted),
    ...(turn !== undefined && { turnId: turn }),
    ...(before && { before }),
    ...(title !== undefined && { title }),
  }
  const forked = await withRoom(
    (makeRoom) =>
      hub.client.http.call('POST /api/sessions/{sessionId}/fork', { ...input, makeRoom }),
    flags,
    io,
  )
  if (flags.json) return void io.stdout.write(`${JSON.stringify(forked)}\n`)
  io.stdout.write(`${forked.id}\n`)
  const { branch = '', path = '' } = forked.workspace ?? {}
  io.stderr.write(`Forked. Branch ${oneLine(branch)} in ${oneLine(path)}\n`)
}
