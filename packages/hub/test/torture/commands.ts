// The commands of a client, over either transport. The shadow records every acknowledgement and every missing answer.
import type {
  EventPage,
  PermissionOutcome,
  PromptAccepted,
  SessionDetail,
  SessionSummary,
} from '@quayside/protocol'
import type { Transport } from './plan.js'
import type { Shadow, SessionShadow } from './shadow.js'
import type { Answer, ShadowClient } from './shadow-client.js'

export class Commands {
  readonly #client: ShadowClient
  readonly #shadow: Shadow

  constructor(client: ShadowClient, shadow: Shadow) {
    this.#client = client
    this.#shadow = shadow
  }

  async create(repoId: string, via: Transport): Promise<SessionShadow | undefined> {
    const input = { repoId, extensionId: 'demo' }
    const answer = await (via === 'rest'
      ? this.#client.request('POST', '/api/sessions', input)
      : this.#client.call('session/new', input))
    if (!answer.ok) {
      this.refuse('a new session', answer.code)
      return undefined
    }
    const session = this.#shadow.session((answer.body as SessionSummary).id)
    this.#noteState(session, answer)
    return session
  }

  /** True when the session takes prompts again. */
  async resume(session: SessionShadow): Promise<boolean> {
    session.isTouched = true
    const answer = await this.#client.request('POST', `${pathOf(session)}/resume`, {})
    this.#noteState(session, answer)
    if (!answer.ok) this.refuse(`resuming ${session.id}`, answer.code)
    return answer.ok
  }

  async prompt(
    session: SessionShadow,
    input: { readonly text: string; readonly id?: string },
    via: Transport,
  ): Promise<Answer> {
    const { id, text } = input
    if (id !== undefined && !session.accepted.has(id)) session.unanswered.set(id, text)
    const answer = await (via === 'rest'
      ? this.#client.request('POST', `${pathOf(session)}/prompt`, input)
      : this.#client.call('session/prompt', { sessionId: session.id, ...input }))
    if (id !== undefined) session.unanswered.delete(id)
    if (!answer.ok) return answer
    const { turnId, seq } = answer.body as PromptAccepted
    if (id !== undefined) this.#noteAccepted(session, { id, text, seq })
    this.#shadow.acknowledge(session, { is: 'prompt', turnId, seq })
    return answer
  }

  async cancel(session: SessionShadow): Promise<void> {
    this.#noteState(session, await this.#client.request('POST', `${pathOf(session)}/cancel`, {}))
  }

  async read(session: SessionShadow): Promise<void> {
    const detail = await this.#client.request('GET', pathOf(session))
    this.#noteState(session, detail)
    if (detail.ok) {
      const { messages } = detail.body as SessionDetail
      const lastSeq = Math.max(0, ...messages.map(({ updatedSeq }) => updatedSeq))
      this.#shadow.acknowledge(session, { is: 'messages', lastSeq })
    }
    const page = await this.#client.request('GET', `${pathOf(session)}/events?limit=100`)
    if (!page.ok) return
    const cursor = { reader: 'a page', after: 0 }
    for (const event of (page.body as EventPage).events)
      this.#shadow.see(session, cursor, JSON.stringify(event))
  }

  async list(): Promise<void> {
    const answer = await this.#client.request('GET', '/api/sessions?limit=20')
    if (!answer.ok) return
    const { sessions } = answer.body as { sessions: SessionSummary[] }
    for (const body of sessions) this.#noteState(this.#shadow.session(body.id), { ok: true, body })
  }

  async delete(session: SessionShadow): Promise<void> {
    const answer = await this.#client.request('DELETE', pathOf(session))
    this.#noteState(session, answer)
    if (answer.ok && (answer.body as SessionSummary).status === 'active')
      this.#shadow.blame('untrue', `session ${session.id} is active after its delete`)
  }

  async answerPermission(
    session: SessionShadow,
    { permissionId, optionId }: { permissionId: string; optionId: string },
    via: Transport,
  ): Promise<void> {
    const input = optionId === 'cancelled' ? { outcome: optionId } : { optionId }
    const answer = await (via === 'rest'
      ? this.#client.request('POST', `${pathOf(session)}/permissions/${permissionId}`, input)
      : this.#client.call('permission/answer', { sessionId: session.id, permissionId, ...input }))
    if (!answer.ok) return
    const { outcome } = answer.body as { outcome: PermissionOutcome }
    this.#shadow.acknowledge(session, { is: 'answer', permissionId, outcome })
  }

  async answerQuestion(
    session: SessionShadow,
    { questionId, action }: { questionId: string; action: string },
    via: Transport,
  ): Promise<void> {
    const answer = await (via === 'rest'
      ? this.#client.request('POST', `${pathOf(session)}/questions/${questionId}`, { action })
      : this.#client.call('question/answer', { sessionId: session.id, questionId, action }))
    if (answer.ok) this.#shadow.acknowledge(session, { is: 'questionAnswer', questionId, action })
  }

  /** Records a refusal, unless the hub is stopping. */
  refuse(what: string, code: string): void {
    if (code !== 'shutting_down') this.#shadow.blame('broken', `${what} was refused: ${code}`)
  }

  #noteAccepted(
    session: SessionShadow,
    { id, text, seq }: { id: string; text: string; seq: number },
  ): void {
    const known = session.accepted.get(id)
    if (known === undefined) session.accepted.set(id, { text, seq })
    else if (known.seq !== seq)
      this.#shadow.blame('doubled', `prompt ${id} was accepted as ${known.seq} and as ${seq}`)
  }

  #noteState(session: SessionShadow, answer: Answer): void {
    if (!answer.ok) return
    const { status, lastSeq } = answer.body as SessionSummary
    this.#shadow.acknowledge(session, { is: 'state', status, lastSeq })
  }
}

function pathOf({ id }: SessionShadow): string {
  return `/api/sessions/${id}`
}
