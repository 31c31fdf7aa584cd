// One person's work on one session, as planned, until the hub is killed.
import { randomUUID } from 'node:crypto'
import type { PromptAccepted, SessionEvent } from '@quayside/protocol'
import { Commands } from './commands.js'
import { ReceivedEvents } from './received-events.js'
import type { LanePlan, Step } from './plan.js'
import type { Shadow, SessionShadow } from './shadow.js'
import type { ShadowClient } from './shadow-client.js'

const NEXT_PROMPT_MS = 60_000
/** For a session whose queued prompts end its agent. */
const MAX_COMEBACKS = 40
const ENDED = 'the end of its session'

export type LaneDeps = {
  readonly client: ShadowClient
  readonly shadow: Shadow
  readonly repoId: string
  /** Aborts when the hub is killed. */
  readonly killed: AbortSignal
}

export class Lane {
  readonly #deps: LaneDeps
  readonly #plan: LanePlan
  readonly #commands: Commands
  readonly #received: ReceivedEvents
  #session: SessionShadow | undefined
  #step: Pick<Step, 'answers' | 'via'>

  constructor(deps: LaneDeps, plan: LanePlan) {
    this.#deps = deps
    this.#plan = plan
    this.#commands = new Commands(deps.client, deps.shadow)
    this.#received = new ReceivedEvents(deps.killed)
    // Answer what is still open from before.
    this.#step = { answers: ['allow_once'], via: plan.via }
  }

  /** A new session, or `ended` resumed. Resolves when its next prompt has worked. */
  async open(ended: SessionShadow | undefined): Promise<void> {
    const { client, repoId } = this.#deps
    const { via, pick } = this.#plan
    const session = ended ?? (await this.#commands.create(repoId, via))
    if (session === undefined) return
    if (ended !== undefined && !(await this.#commands.resume(ended))) return
    this.#session = session
    const after = pick < 0.2 ? 0 : lastInOrder(session)
    await client.follow(session, after, (event) => this.#receive(session, event))
    await this.#requirePrompt(session)
    await this.#repeatUnanswered(session)
  }

  async work(): Promise<void> {
    const session = this.#session
    if (session === undefined) return
    for (;;) for (const step of this.#plan.steps) await this.#take(session, step)
  }

  /** A client without an answer retries with the same id: there must be one turn, whether the first request arrived or not. */
  async #repeatUnanswered(session: SessionShadow): Promise<void> {
    for (const [id, text] of session.unanswered)
      await this.#commands.prompt(session, { id, text }, this.#plan.via)
  }

  /** Resolves when the next prompt works, after earlier queued ones, which may end the agent. */
  async #requirePrompt(session: SessionShadow): Promise<void> {
    const { shadow } = this.#deps
    const blame = (what: string): void =>
      shadow.blame('broken', `the next prompt of ${session.id} ${what}`)
    const timer = setTimeout(() => blame('has not ended'), NEXT_PROMPT_MS)
    try {
      const input = { text: `echo round ${shadow.round}`, id: randomUUID() }
      let end = await this.#tryPrompt(session, input)
      for (let again = 0; end === ENDED && again < MAX_COMEBACKS; again += 1) {
        await this.#commands.resume(session)
        end = await this.#tryPrompt(session, input)
      }
      if (end !== 'end_turn') blame(`came to ${end}`)
    } finally {
      clearTimeout(timer)
    }
  }

  async #tryPrompt(session: SessionShadow, input: { text: string; id: string }): Promise<string> {
    const after = this.#received.lastSeq
    const answer = await this.#commands.prompt(session, input, this.#plan.via)
    if (!answer.ok) return answer.code === 'session_not_active' ? ENDED : answer.code
    const next = await this.#received.until(
      ({ type, seq, data }) =>
        (type === 'turn.ended' && data.turnId === input.id) ||
        (type === 'session.ended' && seq > after),
    )
    if (next.type !== 'turn.ended') return ENDED
    return next.data.stopReason ?? JSON.stringify(next.data.error)
  }

  async #take(session: SessionShadow, step: Step): Promise<void> {
    this.#step = step
    const turnId = await this.#prompt(session, step)
    if (turnId === undefined) return
    await this.#goOn(session, step)
    if (step.waits) await this.#received.untilType('turn.ended', (data) => data.turnId === turnId)
  }

  /** The turn to wait for, if there is a new one. */
  async #prompt(session: SessionShadow, step: Step): Promise<string | undefined> {
    const repeated = step.id === 'repeated' ? [...session.accepted].at(-1) : undefined
    const id = repeated?.[0] ?? (step.id === 'none' ? undefined : randomUUID())
    const text = repeated?.[1].text ?? step.text
    const input = { text, ...(id === undefined ? {} : { id }) }
    const answer = await this.#commands.prompt(session, input, step.via)
    if (answer.ok) {
      const { turnId } = answer.body as PromptAccepted
      return repeated === undefined ? turnId : undefined
    }
    if (answer.code === 'session_not_active') await this.#commands.resume(session)
    else if (answer.code !== 'queue_full') this.#commands.refuse('a prompt', answer.code)
    return undefined
  }

  async #goOn(session: SessionShadow, { next }: Step): Promise<void> {
    if (next === 'cancel') await this.#commands.cancel(session)
    if (next === 'read') await this.#commands.read(session)
    if (next === 'list') await this.#commands.list()
    if (next !== 'delete') return
    await this.#commands.delete(session)
    await this.#commands.resume(session)
  }

  #receive(session: SessionShadow, event: SessionEvent): void {
    this.#received.add(event)
    // It fails because the hub was killed.
    this.#answer(session, event).catch(() => {})
  }

  /** According to the current step. */
  async #answer(session: SessionShadow, event: SessionEvent): Promise<void> {
    const { answers, via } = this.#step
    if (event.type === 'permission.requested') {
      const { permissionId } = event.data
      await Promise.all(
        answers.map((optionId) =>
          this.#commands.answerPermission(session, { permissionId, optionId }, via),
        ),
      )
    }
    if (event.type === 'question.asked' && answers.length > 0) {
      const { questionId } = event.data
      await this.#commands.answerQuestion(session, { questionId, action: 'decline' }, via)
    }
  }
}

/** The cursor of a client that saw these events; lost ones are reported elsewhere and not waited for. */
function lastInOrder({ seen, length }: SessionShadow): number {
  let seq = 0
  while (seq < length && seen.has(seq + 1)) seq += 1
  return seq
}
