// Follows a comparison for `quayside run --agents`: a table of its sessions until none of them works and every check has ended.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ComparedSession, Comparison } from '@quayside/protocol'
import { type CommandIo, exitWhenStdoutCloses } from '../io/command-io.js'
import { EXIT, type ExitCode } from '../io/exit-codes.js'
import { shortIds } from '../io/find-session.js'
import type { HubAccess } from '../io/hub-access.js'
import { type Cell, formatTable, type Style } from '../io/table.js'

export type FollowFlags = { readonly json?: boolean; readonly timeout?: number }

type Following = {
  readonly hub: HubAccess
  readonly flags: FollowFlags
  readonly io: CommandIo
}

const LOOK_AGAIN_MS = 1_000
const TITLES = ['AGENT', 'STATE', 'TIME', 'COST', 'FILES', 'LINES', 'CHECK', 'SESSION']
const STYLES: Partial<Record<string, Style>> = {
  done: 'green',
  passed: 'green',
  failed: 'red',
  waiting: 'yellow',
  cancelled: 'yellow',
}

/** The last table goes to stdout, everything before it to stderr. The exit code is that of the worst session. */
export async function followComparison(
  first: Comparison,
  { hub, flags, io }: Following,
): Promise<ExitCode> {
  exitWhenStdoutCloses(io, EXIT.cancelled)
  const follow = new Progress(io, flags.json === true)
  follow.note(headOf(first, hub))
  const stopListening = stopOn(first, { hub, flags, io }, follow)
  let comparison = first
  try {
    while (!isOver(comparison, hub, io)) {
      follow.show(comparison)
      await sleep(LOOK_AGAIN_MS)
      const input = { comparisonId: first.id }
      comparison = await hub.client.http.call('GET /api/comparisons/{comparisonId}', input)
    }
  } finally {
    stopListening()
  }
  follow.show(comparison)
  follow.clear()
  io.stdout.write(`${flags.json ? JSON.stringify(comparison) : tableOf(comparison, io)}\n`)
  const waiting = comparison.sessions.filter(({ outcome }) => outcome === 'waiting')
  for (const { id, extensionId } of waiting)
    follow.note(`${extensionId} waits for a decision: quayside sessions answer ${id}`)
  return exitCodeOf(comparison)
}

function headOf({ id, sessions }: Comparison, hub: HubAccess): string {
  const agents = sessions.map(({ extensionId }) => extensionId).join(', ')
  // A temporary hub ends with the command.
  const place = hub.isTemporary ? '' : `\n  ${hub.address}/compare/${id}`
  return `● ${agents} · comparison ${id}${place}\n  Take one of them: quayside workspace take SESSION`
}

/** A person may decide on the page, but not in a hub that ends with the command, and a script does not wait for people. */
function isOver({ check, sessions }: Comparison, hub: HubAccess, io: CommandIo): boolean {
  if (sessions.some(({ outcome }) => outcome === 'working')) return false
  const isWaiting = sessions.some(({ outcome }) => outcome === 'waiting')
  if (isWaiting && !hub.isTemporary && io.stderr.isTTY) return false
  return check === undefined || sessions.every(isChecked)
}

/** The check begins a moment after the turn. */
function isChecked({ outcome, status, workspace }: ComparedSession): boolean {
  const state = workspace?.check?.state
  if (outcome !== 'done' || (state === undefined && status !== 'active')) return true
  return state !== undefined && state !== 'running'
}

function exitCodeOf({ sessions }: Comparison): ExitCode {
  const outcomes = sessions.map(({ outcome }) => outcome)
  if (outcomes.includes('waiting')) return EXIT.needsDecision
  const checks = sessions.map(({ workspace }) => workspace?.check?.state ?? 'passed')
  if (outcomes.includes('failed') || checks.some((state) => state !== 'passed')) return EXIT.failed
  return outcomes.includes('cancelled') ? EXIT.cancelled : EXIT.done
}

/** Ctrl-C and --timeout stop all turns; a second Ctrl-C leaves. */
function stopOn({ sessions }: Comparison, { hub, flags, io }: Following, follow: Progress) {
  let isStopping = false
  const stop = (reason: string): void => {
    isStopping = true
    follow.note(reason)
    for (const { id: sessionId } of sessions)
      hub.client.http
        .call('POST /api/sessions/{sessionId}/cancel', { sessionId })
        .catch((error: unknown) => follow.note(String(error)))
  }
  const leave = () => io.exit(EXIT.cancelled)
  const interrupt = () =>
    isStopping ? leave() : stop('Stopping. Press Ctrl-C again to leave at once.')
  const { timeout } = flags
  const timer = timeout && setTimeout(() => stop('The time limit is reached. Stopping.'), timeout)
  const cleanups = [
    io.onSignal('SIGINT', interrupt),
    io.onSignal('SIGTERM', leave),
    io.onSignal('SIGHUP', leave),
    () => clearTimeout(timer),
  ]
  return () => cleanups.forEach((clean) => clean())
}

/** At a terminal one table that is drawn again, else a line for each change. */
class Progress {
  readonly #io: CommandIo
  readonly #isQuiet: boolean
  readonly #states = new Map<string, string>()
  #lines = 0

  constructor(io: CommandIo, isQuiet: boolean) {
    this.#io = io
    this.#isQuiet = isQuiet
  }

  note(text: string): void {
    this.clear()
    if (!this.#isQuiet) this.#io.stderr.write(`${text}\n`)
  }

  show(comparison: Comparison): void {
    if (this.#isQuiet) return
    const { stderr } = this.#io
    if (stderr.isTTY) {
      this.clear()
      const table = tableOf(comparison, this.#io)
      stderr.write(`${table}\n`)
      this.#lines = table.split('\n').length
      return
    }
    for (const session of comparison.sessions) {
      const state = [session.outcome, checkText(session)].filter(Boolean).join(', check ')
      if (this.#states.get(session.id) === state) continue
      this.#states.set(session.id, state)
      stderr.write(`${session.extensionId}: ${state}\n`)
    }
  }

  /** Removes the table. */
  clear(): void {
    if (this.#lines > 0) this.#io.stderr.write(`\u{1b}[${this.#lines}A\u{1b}[J`)
    this.#lines = 0
  }
}

function tableOf({ sessions }: Comparison, { stdout }: CommandIo): string {
  const ends = shortIds(sessions.map(({ id }) => id))
  return formatTable(
    TITLES,
    sessions.map((session, at) => rowOf(session, ends[at] ?? session.id)),
    stdout,
  )
}

function rowOf(session: ComparedSession, shortId: string): Cell[] {
  const { extensionId, outcome, cost, changes } = session
  const lines = changes ? `+${changes.added} −${changes.removed}` : ''
  const check = checkText(session)
  return [
    { text: extensionId },
    styled(outcome),
    { text: timeText(session) },
    { text: cost ? `${Number(cost.amount.toFixed(4))} ${cost.currency}` : '' },
    { text: changes ? String(changes.files) : '' },
    { text: lines },
    styled(check),
    { text: shortId },
  ]
}

function styled(text: string): Cell {
  const style = STYLES[text.split(' ')[0] ?? '']
  return style === undefined ? { text } : { text, style }
}

function timeText({ seconds, startedAt }: ComparedSession): string {
  const now = Date.now()
  const shown = startedAt === undefined ? seconds : (now - Date.parse(startedAt)) / 1_000
  if (shown === undefined) return ''
  const whole = Math.max(0, Math.round(shown))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

function checkText({ workspace }: ComparedSession): string {
  const { state, exitCode = 0 } = workspace?.check ?? {}
  return state === 'failed' && exitCode !== 0 ? `failed (${exitCode})` : (state ?? '')
}
