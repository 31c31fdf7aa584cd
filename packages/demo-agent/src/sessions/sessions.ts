// The open sessions of this process; opens new ones and stored ones.
import { randomUUID } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { RequestError } from '@agentclientprotocol/sdk'
import type { McpServer, NewSessionRequest, ResumeSessionRequest } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import type { Conversation } from './conversation.js'
import type { ConversationStore } from './conversation-store.js'
import { DEFAULT_MODE_ID, DEFAULT_MODEL } from './session-options.js'
import { Session } from './session.js'

/** A method that the SDK's schema does not have yet. */
export const forkSchema = z.object({
  sessionId: z.string(),
  cwd: z.string(),
  mcpServers: z.array(z.custom<McpServer>()).optional(),
})

export class Sessions {
  readonly #open = new Map<string, Session>()
  #newestId: string | undefined

  constructor(
    private readonly store: ConversationStore,
    private readonly repeatsIds: boolean,
  ) {}

  create({ cwd, mcpServers }: NewSessionRequest): Session {
    requireAbsolute(cwd)
    const conversation: Conversation = {
      sessionId: (this.repeatsIds ? this.#newestId : undefined) ?? randomUUID(),
      cwd,
      title: null,
      modeId: DEFAULT_MODE_ID,
      model: DEFAULT_MODEL,
      updatedAt: Date.now(),
      turns: [],
    }
    const session = new Session(conversation, mcpServers)
    this.store.save(session.conversation)
    this.#add(session)
    return session
  }

  /** Opens a stored session, for `session/load` or `session/resume`. */
  reopen({ sessionId, cwd, mcpServers = [] }: ResumeSessionRequest): Session {
    requireAbsolute(cwd)
    this.#open.get(sessionId)?.requireIdle()
    const conversation = this.store.find(sessionId)
    if (!conversation) throw RequestError.sessionNotFound(sessionId)
    conversation.cwd = cwd
    const session = new Session(conversation, mcpServers)
    this.#add(session)
    return session
  }

  /** A new session with the turns of a stored one. */
  fork({ sessionId, cwd, mcpServers = [] }: z.infer<typeof forkSchema>): Session {
    requireAbsolute(cwd)
    const stored = this.store.find(sessionId)
    if (!stored) throw RequestError.sessionNotFound(sessionId)
    const conversation = { ...structuredClone(stored), sessionId: randomUUID(), cwd }
    const session = new Session(conversation, mcpServers)
    this.store.save(session.conversation)
    this.#add(session)
    return session
  }

  /** The session that was opened last. */
  get newestId(): string | undefined {
    return this.#newestId
  }

  find(sessionId: string): Session | undefined {
    return this.#open.get(sessionId)
  }

  require(sessionId: string): Session {
    const session = this.#open.get(sessionId)
    if (!session) throw RequestError.sessionNotFound(sessionId)
    return session
  }

  /** Cancels the running turn and closes the session; its conversation stays in the store. */
  close(sessionId: string) {
    this.require(sessionId).cancelTurn()
    this.#open.delete(sessionId)
  }

  cancelAll() {
    for (const session of this.#open.values()) session.cancelTurn()
  }

  #add(session: Session) {
    this.#open.set(session.id, session)
    this.#newestId = session.id
  }
}

function requireAbsolute(cwd: string) {
  if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, 'cwd must be an absolute path')
}
