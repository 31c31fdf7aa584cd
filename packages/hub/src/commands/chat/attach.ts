// `quayside attach`: follows a session. At a terminal a person can prompt and answer; without one it ends when the agent is idle.
import type { AgentSession, ChatEvent } from '@quayside/client'
import { type Command, Option } from 'commander'
import { addMakeRoomOption, promptWithRoom } from '../io/make-room.js'
import { messageOfError } from '../../errors.js'
import { ChatWatch, isInteractive } from './watch.js'
import type { CommandIo } from '../io/command-io.js'
import { EXIT, EXIT_CODES_HELP, type ExitCode } from '../io/exit-codes.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, type HubFlags, requireHub } from '../io/hub-access.js'
import { oneLine } from '../io/one-line.js'
import { wholeNumber } from '../io/read-whole-number.js'

type AttachFlags = HubFlags & {
  readonly from?: number
  readonly last?: number
  readonly makeRoom?: boolean
  readonly json?: boolean
}

const MAX_TURNS = 50
/** At a terminal a person needs some context. */
const TURNS_AT_TERMINAL = 3

export function defineAttach(command: Command, io: CommandIo): void {
  command
    .argument('<session>', SESSION_ARGUMENT)
    .option(
      '--last <turns>',
      `number of turns to print first (default: ${TURNS_AT_TERMINAL} at a terminal, else 1)`,
      wholeNumber(1, MAX_TURNS),
    )
    .addOption(
      new Option('--from <seq>', 'number of the first event to print')
        .argParser(wholeNumber(1))
        .conflicts('last'),
    )
    .option('--json', 'print one event per line instead of the text')
  addHubOption(addMakeRoomOption(command))
    .addHelpText('after', HELP)
    .action(async (session: string, flags: AttachFlags) => {
      io.exitCode = await attach(session, flags, io)
    })
}

const HELP = `
Ctrl-C stops the running turn, or leaves when the agent is idle. Without a
terminal the command ends when the agent is idle.

Examples:
  quayside attach -
  quayside attach 7d1f0c --from 1 --json > events.jsonl
${EXIT_CODES_HELP}`

async function attach(wanted: string, flags: AttachFlags, io: CommandIo): Promise<ExitCode> {
  const { from, json = false } = flags
  await using hub = await requireHub(flags, io)
  const session = await hub.client.openSession(await requireSessionId(hub, wanted))
  const isChat = isInteractive(json, io)
  const turns = flags.last ?? (isChat ? TURNS_AT_TERMINAL : 1)
  const after = from === undefined ? await beforeLastTurns(session, turns) : from - 1
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
    isWorking = isBusy(await hub.client.sessions.get(session.id, { messages: '0' }))
    const { items } = await session.timeline({ limit: 1 })
    return !isWorking && items.every((item) => item.seq <= seq)
  }
  const decideAt = `${hub.address}/s/${session.id}, or: quayside sessions answer ${session.id}`
  const leaving = new AbortController()
  const typed = new Set<string>()
  const onText = (text: string): void => {
    typed.add(text)
    // The person types prompts here, so a question would get one of them as its answer.
    promptWithRoom({ session, text }, { ...flags, json: true }, io).catch((error: unknown) =>
      watch.printer.note(messageOfError(error), 'red'),
    )
  }
  const changes = () => hub.client.sessions.changes(session.id, { patches: false })
  const isNews = (prompt: string): boolean => !typed.delete(prompt)
  const options = { json, decideAt, changes, onText, isNews, isOver, confirmOver }
  using watch = new ChatWatch(session, options, io)
  if (isChat)
    watch.printer.note(
      `● ${oneLine(session.info.title ?? session.id)}: type to prompt, Ctrl-C to stop`,
    )
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

/** The event before the last turns. A queued prompt that is about to start counts as the last turn. */
async function beforeLastTurns(session: AgentSession, turns: number): Promise<number> {
  const { items, seq, state, before } = await session.timeline({ limit: 1 })
  const { turn, queue, isQueuePaused } = state
  const next = turn === null && !isQueuePaused ? queue[0] : undefined
  let prompts = [...startedPrompts(items), ...(next ? [next.seq] : [])]
  for (let cursor = before; prompts.length < turns && cursor !== undefined;) {
    const page = await session.timeline({ before: cursor })
    // A prompt that was queued before the cut and started after it is in both parts.
    prompts = [...new Set([...startedPrompts(page.items), ...prompts])]
    cursor = page.before
  }
  return (prompts.slice(-turns)[0] ?? items[0]?.seq ?? seq + 1) - 1
}

function startedPrompts(items: Awaited<ReturnType<AgentSession['timeline']>>['items']): number[] {
  return items.flatMap((item) =>
    item.type === 'user' && item.startedSeq !== undefined ? [item.seq] : [],
  )
}
