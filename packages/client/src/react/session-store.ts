// One open session for components: folds its events into a transcript and notifies components once a frame.
// A component subscribes to the view, the list of items, or one item, and renders only when that changed.
import {
  applyEvent,
  emptyTranscript,
  inReadingOrder,
  restoreTranscript,
  type Item,
  type Transcript,
} from '@quayside/protocol'
import type { AgentSession } from '../agent-session.js'
import type { AgentChatClient } from '../client.js'
import { ClientError } from '../client-error.js'
import { onNextFrame } from './frame.js'
import { changedView, foldedView, type SessionView } from './session-view.js'
import { Watched } from './watched.js'

export type SessionRows = {
  /** The ids of the items in reading order; a new array only when items are added or moved. */
  readonly ids: readonly string[]
  /** The current state of one item; to render it, use `useTimelineItem`. */
  readonly item: (id: string) => Item | undefined
  readonly hasOlder: boolean
  /** Reads the items before the first one. */
  readonly loadOlder: () => Promise<void>
}

/** Sessions of up to this many events are read completely; longer ones are opened at their end. */
const READ_WHOLE = 500
const PAGE = 60

export class SessionStore {
  readonly id: string
  readonly view: Watched<SessionView>
  readonly rows: Watched<SessionRows>
  readonly #client: AgentChatClient
  readonly #watchers = new Map<string, Set<() => void>>()
  readonly #dirty = new Set<string>()
  #transcript: Transcript | undefined
  /** Items before the transcript, oldest first, and the cursor of the page before them. */
  #older: readonly Item[] = []
  #olderById = new Map<string, Item>()
  #before: number | undefined
  #users = 0
  #following: AbortController | undefined
  #isFlushDue = false
  /** The session was removed or cannot be followed; the view has the error. */
  #hasEnded = false

  constructor(client: AgentChatClient, id: string) {
    this.id = id
    this.#client = client
    this.view = new Watched<SessionView>({
      is: 'loading',
      error: undefined,
      session: undefined,
      info: undefined,
      ...foldedView(emptyTranscript()),
      ...this.#commands(),
    })
    this.rows = new Watched<SessionRows>({
      ids: [],
      item: this.item,
      hasOlder: false,
      loadOlder: this.#loadOlder,
    })
  }

  get isUsed(): boolean {
    return this.#users > 0
  }

  readonly item = (id: string): Item | undefined => {
    const position = this.#transcript?.index.get(id)
    return position === undefined ? this.#olderById.get(id) : this.#transcript?.items[position]
  }

  watchItem(id: string, listener: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set()
    this.#watchers.set(id, watchers.add(listener))
    return () => {
      watchers.delete(listener)
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id)
    }
  }

  /** Follows the session while it is used. Returns a function that stops it. */
  use(): () => void {
    this.#users += 1
    if (this.#users === 1) void this.#follow()
    return () => {
      this.#users -= 1
      if (this.#users === 0) this.#following?.abort()
    }
  }

  async #follow(): Promise<void> {
    const following = new AbortController()
    const { signal } = following
    this.#following = following
    this.#hasEnded = false
    try {
      const session = await this.#open(signal)
      const transcript = (this.#transcript ??= await this.#begin(session, signal))
      this.#flushSoon()
      for await (const event of session.log({ after: transcript.seq, signal })) {
        for (const id of applyEvent(transcript, event)) this.#dirty.add(id)
        this.#flushSoon()
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ClientError)) throw error
      if (error.code === 'cursor_ahead') return this.#readAgain()
      this.#end(error)
    }
  }

  /** The log is shorter than what was read, as after a restored backup. */
  #readAgain(): Promise<void> {
    this.#transcript = undefined
    this.#older = []
    this.#olderById.clear()
    this.#before = undefined
    this.#setRows()
    this.view.set({ ...this.view.get(), is: 'loading', session: undefined, info: undefined })
    return this.#follow()
  }

  #end(error: ClientError): void {
    this.#hasEnded = true
    const is = error.code === 'session_not_found' ? 'missing' : 'failed'
    this.view.set({ ...this.view.get(), is, error })
  }

  async #open(signal: AbortSignal): Promise<AgentSession> {
    const { session: known } = this.view.get()
    if (known) return known
    const session = await this.#client.openSession(this.id, { signal })
    this.view.set({ ...this.view.get(), session, info: session.info })
    return session
  }

  async #begin(session: AgentSession, signal: AbortSignal): Promise<Transcript> {
    if (session.info.lastSeq <= READ_WHOLE) return emptyTranscript()
    const { items, seq, before, state } = await session.timeline({ limit: PAGE, signal })
    this.#before = before
    for (const { id } of items) this.#dirty.add(id)
    const { title, archived: isArchived } = session.info
    return { ...restoreTranscript(items, seq, state), title, isArchived }
  }

  readonly #loadOlder = async (): Promise<void> => {
    const { session } = this.view.get()
    const before = this.#before
    if (!session || before === undefined) return
    const { items, before: earlier } = await session.timeline({ limit: PAGE, before })
    // Another caller may have read the same items meanwhile.
    if (this.#before !== before) return
    this.#before = earlier
    this.#older = [...items, ...this.#older]
    this.#olderById = new Map(this.#older.map((item) => [item.id, item]))
    this.#setRows()
  }

  #flushSoon(): void {
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    onNextFrame(() => {
      this.#isFlushDue = false
      this.#flush()
    })
  }

  #flush(): void {
    const { info } = this.view.get()
    const transcript = this.#transcript
    // Renders nothing while the past is being read: the page appears once, complete.
    if (!info || !transcript || transcript.seq < info.lastSeq) return
    const changed = [...this.#dirty]
    this.#dirty.clear()
    if (this.#mayChangeRows(changed)) this.#setRows()
    for (const id of changed) {
      for (const listener of this.#watchers.get(id) ?? []) listener()
    }
    const view = this.view.get()
    // The last events of a removed session may be rendered after its end.
    const state = this.#hasEnded ? {} : ({ is: 'ready', error: undefined } as const)
    const next = changedView(view, { ...state, ...foldedView(transcript) })
    if (next !== view) this.view.set(next)
  }

  /** Only prompts move, when their turn begins; other items keep their position. */
  #mayChangeRows(changed: readonly string[]): boolean {
    const count = this.#older.length + (this.#transcript?.items.length ?? 0)
    if (this.rows.get().ids.length !== count) return true
    return changed.some((id) => this.item(id)?.type === 'user')
  }

  #setRows(): void {
    const older = this.#older.filter(({ id }) => !this.#transcript?.index.has(id))
    const rows = [...older, ...inReadingOrder(this.#transcript?.items ?? [])]
    const hasOlder = this.#before !== undefined
    const ids = rows.map(({ id }) => id)
    this.rows.set({ ids, item: this.item, hasOlder, loadOlder: this.#loadOlder })
  }

  #commands(): Pick<SessionView, 'send' | 'cancel' | 'respond' | 'answer' | 'setConfig'> {
    const session = () => this.view.get().session ?? this.#client.openSession(this.id)
    return {
      send: async (input) => void (await (await session()).prompt(input).accepted),
      cancel: async () => void (await (await session()).cancel()),
      respond: async (id, answer) => void (await (await session()).respond(id, answer)),
      answer: async (id, answer) => void (await (await session()).answer(id, answer)),
      setConfig: async (id, value) => void (await (await session()).setConfig(id, value)),
    }
  }
}
