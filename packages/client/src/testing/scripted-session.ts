// A session of the scripted hub: its log, and prompts that a scripted agent answers one at a time.
import {
  activityOf,
  currentStepOf,
  applyEvent,
  emptyTranscript,
  inReadingOrder,
  messageOf,
  messageText,
  wantedPattern,
  saveState,
  type ContentBlock,
  type EventBody,
  type EventData,
  type FoundPlace,
  type FoundPlaces,
  type HubPlace,
  type PendingPermission,
  type PermissionOutcome,
  type PromptAccepted,
  type QueuedTurn,
  type SessionEvent,
  type SessionSummary,
  type Timeline,
} from '@quayside/protocol'
import { ClientError } from '../connection/client-error.js'
import { ScriptedTurn, type TurnActions } from './scripted-turn.js'

/** The one person who uses a scripted hub. */
export const USER = 'tester'

export type ScriptedAgent = (turn: ScriptedTurn) => void | Promise<void>

type Asked = {
  readonly permission: PendingPermission
  readonly resolve: (outcome: PermissionOutcome) => void
}
type QueueChange = { readonly prompt?: readonly ContentBlock[]; readonly before?: string | null }
type SessionChange = Pick<EventData['session.updated'], 'title' | 'pinned' | 'archived'>
type SessionOptions = {
  readonly id: string
  readonly repoId: string
  readonly extensionId: string
  readonly title?: string | undefined
  readonly agent: () => ScriptedAgent
  readonly onAppend: (events: readonly SessionEvent[]) => void
}

export class ScriptedSession {
  readonly id: string
  readonly log: SessionEvent[] = []
  readonly #options: SessionOptions
  readonly #transcript = emptyTranscript()
  readonly #permissions = new Map<string, Asked>()
  readonly #accepted = new Map<string, PromptAccepted>()
  #turns: Promise<void> = Promise.resolve()
  #running: AbortController | undefined
  #marks = { pinned: false, archived: false }
  #place: HubPlace | undefined

  constructor(options: SessionOptions) {
    this.id = options.id
    this.#options = options
    const { repoId, extensionId, title } = options
    const known = { repoId, extensionId, cwd: '/', ...(title !== undefined && { title }) }
    this.append({ type: 'session.created', data: known })
  }

  /** Writes events into the log, and sends them to all followers. */
  append(...bodies: readonly EventBody[]): void {
    const events = bodies.map((body, index) => ({
      sessionId: this.id,
      seq: this.log.length + index + 1,
      at: Date.now(),
      ...body,
    }))
    for (const event of events) applyEvent(this.#transcript, event)
    this.log.push(...events)
    this.#options.onAppend(events)
  }

  /** The machine that runs it, for a hub that shares its database with others. */
  set place(place: HubPlace) {
    this.#place = place
    this.#options.onAppend([])
  }

  get summary(): SessionSummary {
    const { id, repoId, extensionId } = this.#options
    const { status, title, items, seq, usage } = this.#transcript
    const at = (event: SessionEvent | undefined) => new Date(event?.at ?? 0).toISOString()
    return {
      id,
      repoId,
      extensionId,
      status,
      title,
      lastSeq: seq,
      metadata: status === 'active' ? {} : this.#endMetadata(),
      ...(status === 'active' && this.#activity()),
      ...this.#marks,
      ...(this.#place && { hub: this.#place }),
      turnCount: this.#accepted.size,
      messageCount: items.length,
      ...(usage?.cost && { cost: usage.cost }),
      createdAt: at(this.log[0]),
      updatedAt: at(this.log.at(-1)),
      endedAt: status === 'active' ? null : at(this.log.at(-1)),
    }
  }

  #activity(): Pick<SessionSummary, 'activity' | 'step'> {
    const step = currentStepOf(this.#transcript)
    return { activity: activityOf(this.#transcript), ...(step && { step }) }
  }

  #endMetadata(): SessionSummary['metadata'] {
    const end = this.log.findLast((event) => event.type === 'session.ended')
    return end ? { ...end.data.details, reason: end.data.reason } : {}
  }

  get permissions(): readonly PendingPermission[] {
    return [...this.#permissions.values()].map(({ permission }) => permission)
  }

  /** All of it in one part, or all before `before`. */
  timeline(before = this.log.length + 1): Timeline {
    const transcript = emptyTranscript()
    for (const event of this.log.slice(0, before - 1)) applyEvent(transcript, event)
    const items = inReadingOrder(transcript.items)
    return { items, seq: this.log.length, state: saveState(transcript) }
  }

  /** All places in one page, without excerpts. */
  find(q: string): FoundPlaces {
    const pattern = wantedPattern(q)
    const places = this.timeline().items.flatMap((item): FoundPlace[] => {
      const { content } = messageOf(item) ?? {}
      const found = pattern && content && messageText(content).match(pattern)
      if (!found) return []
      const { id: itemId, seq, updatedSeq, turnId = null } = item
      const count = item.type === 'tool' ? 1 : found.length
      return [{ itemId, seq, updatedSeq, turnId, type: content.type, count, excerpt: [] }]
    })
    return { places: places.toReversed() }
  }

  prompt(prompt: readonly ContentBlock[], turnId: string): PromptAccepted {
    this.#requireActive()
    const known = this.#accepted.get(turnId)
    if (known) return this.#requireSame(known, prompt)
    const queued = this.#transcript.turn !== null || this.#transcript.queue.length > 0
    this.append({ type: 'turn.queued', data: { turnId, prompt } })
    const accepted = { turnId, seq: this.log.length, queued }
    this.#accepted.set(turnId, accepted)
    this.#turns = this.#turns.then(() => this.#runNext())
    return accepted
  }

  #requireSame(accepted: PromptAccepted, prompt: readonly ContentBlock[]): PromptAccepted {
    const first = this.log[accepted.seq - 1]
    const sent = first?.type === 'turn.queued' ? first.data.prompt : []
    if (JSON.stringify(sent) === JSON.stringify(prompt)) return accepted
    throw new ClientError(
      'turn_id_taken',
      'A prompt with this id and other content was sent before.',
    )
  }

  get queue(): readonly QueuedTurn[] {
    return this.#transcript.queue
  }

  /** Changes what a waiting prompt says, or which one it comes before (null: last). */
  editQueued(turnId: string, change: QueueChange): void {
    const { prompt } = this.#requireWaiting(turnId)
    this.append({ type: 'turn.queued', data: { turnId, prompt, ...change } })
  }

  /** Goes first, in the place of the turn that runs. */
  sendNow(turnId: string): void {
    const [first] = this.queue
    if (first && first.turnId !== turnId) this.editQueued(turnId, { before: first.turnId })
    else this.#requireWaiting(turnId)
    this.cancel()
  }

  removeQueued(turnId: string): void {
    this.#requireWaiting(turnId)
    const error = { code: 'removed', message: 'This prompt was removed before it was sent.' }
    this.append({ type: 'turn.ended', data: { turnId, error } })
  }

  /** Renames, pins or archives it. */
  change(change: SessionChange): void {
    const { pinned = this.#marks.pinned, archived = this.#marks.archived } = change
    this.#marks = { pinned, archived }
    this.append({ type: 'session.updated', data: change })
  }

  cancel(): void {
    for (const { permissionId } of this.permissions)
      this.#resolve(permissionId, { outcome: 'cancelled' }, 'turn_cancelled')
    this.#running?.abort()
  }

  answer(permissionId: string, answer: { optionId?: string }): EventData['permission.resolved'] {
    const asked = this.#permissions.get(permissionId)
    if (!asked) throw new ClientError('permission_not_pending', 'This permission was answered.')
    const { optionId } = answer
    if (optionId === undefined) return this.#resolve(permissionId, { outcome: 'cancelled' })
    if (asked.permission.options.every((option) => option.optionId !== optionId))
      throw new ClientError('unknown_option', 'The permission has no such option.')
    return this.#resolve(permissionId, { outcome: 'selected', optionId })
  }

  end(status: 'completed' | 'cancelled' | 'error', reason = 'user_request'): void {
    if (this.#transcript.status !== 'active') return
    this.cancel()
    this.append({ type: 'session.ended', data: { status, reason } })
  }

  resume(): void {
    if (this.#transcript.status !== 'active') this.append({ type: 'session.resumed', data: {} })
  }

  /** Of the queue as it is by now: prompts may have been moved, changed or removed. */
  async #runNext(): Promise<void> {
    const [next] = this.queue
    if (next) await this.#run(next.turnId, next.prompt)
  }

  async #run(turnId: string, prompt: readonly ContentBlock[]): Promise<void> {
    const running = new AbortController()
    this.#running = running
    const { signal } = running
    const actions: TurnActions = {
      append: (body) => this.append(body),
      ask: (toolCall, options) => this.#ask({ turnId, toolCall, options }),
    }
    const turn = new ScriptedTurn({ id: turnId, prompt, signal }, actions)
    this.append({ type: 'turn.started', data: { turnId } })
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    try {
      await Promise.race([this.#options.agent()(turn), aborted])
      const how = signal.aborted
        ? ({ stopReason: 'cancelled', by: USER } as const)
        : { stopReason: turn.stopReason }
      this.append({ type: 'turn.ended', data: { turnId, ...how } })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.append({
        type: 'turn.ended',
        data: { turnId, error: { code: 'agent_failed', message } },
      })
    }
  }

  #ask(
    request: Omit<PendingPermission, 'permissionId' | 'requestedAt'>,
  ): Promise<PermissionOutcome> {
    const permissionId = `permission-${this.log.length + 1}`
    return new Promise((resolve) => {
      const requestedAt = new Date().toISOString()
      const permission = { permissionId, ...request, requestedAt }
      this.#permissions.set(permissionId, { permission, resolve })
      this.append({ type: 'permission.requested', data: { permissionId, ...request } })
    })
  }

  #resolve(
    permissionId: string,
    outcome: PermissionOutcome,
    reason: EventData['permission.resolved']['reason'] = 'answered',
  ): EventData['permission.resolved'] {
    const data = { permissionId, outcome, reason }
    const asked = this.#permissions.get(permissionId)
    this.#permissions.delete(permissionId)
    this.append({ type: 'permission.resolved', data })
    asked?.resolve(outcome)
    return data
  }

  #requireWaiting(turnId: string): QueuedTurn {
    const waiting = this.queue.find((turn) => turn.turnId === turnId)
    if (!waiting) throw new ClientError('turn_not_waiting', 'This prompt no longer waits.')
    return waiting
  }

  #requireActive(): void {
    if (this.#transcript.status !== 'active')
      throw new ClientError('session_not_active', 'The session has ended.')
  }
}
