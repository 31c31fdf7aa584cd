// `quayside attach`: follows a session. At a terminal a person can prompt and answer; without one it ends when the agent is idle.
import type { AgentSession, ChatEvent } from '@quayside/client'
import { restoreTranscript } from '@quayside/protocol'
import type { Command } from 'commander'
import { ChatWatch, isInteractive } from './watch.js'
import type { CommandIo } from '../io/command-io.js'
import { EXIT, EXIT_CODES_HELP, type ExitCode } from '../io/exit-codes.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, type HubFlags, requireHub } from '../io/hub-access.js'
import { wholeNumber } from '../io/read-whole-number.js'

type AttachFlags = HubFlags & { readonly from?: number; readonly json?: boolean }

export function defineAttach(command: Command, io: CommandIo): void {
  command
    .argument('<session>', SESSION_ARGUMENT)
    .option(
      '--from <seq>',
      'number of the first event to print (default: the last turn)',
      wholeNumber(1),
    )
    .option('--json', 'print one event per line instead of the text')
  addHubOption(command)
    .addHelpText('after', HELP)
    .action(async (session: string, flags: AttachFlags) => {
      io.exitCode = await attach(session, flags, io)
    })
}

const HELP = `
Ctrl-C stops the running turn, or leaves when the agent is idle. Without a terminal the command ends when the agent is idle.

Examples:
  quayside attach -
  quayside attach 7d1f0c --from 1 --json > events.jsonl
${EXIT_CODES_HELP}`

async function attach(wanted: string, flags: AttachFlags, io: CommandIo): Promise<ExitCode> {
  const { from, json = false } = flags
  await using hub = await requireHub(flags, io)
  const session = await hub.client.openSession(await requireSessionId(hub, wanted))
  const after = from === undefined ? await beforeLastTurn(session) : from - 1
  const isChat = isInteractive(json, io)
  let isWorking = isBusy(session.info)
  let isStopping = false
  const isOver = (event: ChatEvent): boolean => {
    if (event.type === 'status') isWorking = isBusy(event)
    // Also for a turn that was still queued when the session was opened.
    if (event.type === 'turn_start') [isWorking, isStopping] = [true, false]
    if (event.type === 'turn_end') isWorking = false
    return !isChat && !isWorking && event.seq >= session.info.lastSeq
  }
  // A prompt may be accepted and not yet started, so ask the hub.
  const confirmOver = async ({ seq }: ChatEvent): Promise<boolean> => {
    isWorking = isBusy(await hub.client.sessions.get(session.id))
    const { items } = await session.timeline({ limit: 1 })
    return !isWorking && items.every((item) => item.seq <= seq)
  }
  const decideAt = `${hub.address}/s/${session.id}, or: quayside sessions answer ${session.id}`
  const leaving = new AbortController()
  const onText = (text: string): void => {
    session
      .prompt(text)
      .accepted.catch((error: unknown) => watch.printer.note(String(error), 'red'))
  }
  const changes = () => hub.client.sessions.changes(session.id, { patches: false })
  using watch = new ChatWatch(session, { json, decideAt, changes, onText, isOver, confirmOver }, io)
  if (isChat)
    watch.printer.note(`● ${session.info.title ?? session.id}: type to prompt, Ctrl-C to stop`)
  watch.onInterrupt({
    stop: () => {
      if (!isWorking || isStopping) return false
      isStopping = true
      watch.printer.note('Stopping. Press Ctrl-C again to leave.', 'yellow')
      session.cancel().catch((error: unknown) => watch.printer.note(String(error), 'red'))
      return true
    },
    leave: () => leaving.abort(),
  })
  if (!isChat && !isWorking && after >= session.info.lastSeq) return EXIT.done
  return await watch.follow(session.events({ after, signal: leaving.signal }))
}

function isBusy({ status, activity }: Pick<AgentSession['info'], 'status' | 'activity'>): boolean {
  return status === 'active' && activity !== undefined && activity !== 'idle'
}

/** The event before the last turn. A queued prompt that is about to start counts as the last turn. */
async function beforeLastTurn(session: AgentSession): Promise<number> {
  const { items, seq, state } = await session.timeline({ limit: 1 })
  const { turn, queue, isQueuePaused } = restoreTranscript(items, seq, state)
  const next = turn === null && !isQueuePaused ? queue[0] : undefined
  return ((next ?? items[0])?.seq ?? seq + 1) - 1
}
