// One open session for components: folds its events into a transcript and notifies components once a frame.
// A component subscribes to the view, the list of items, or one item, and renders only when that changed.
import {
  applyEvent,
  emptyTranscript,
  findItem,
  inReadingOrder,
  loadState,
  type Item,
  type Transcript,
} from '@quayside/protocol'
import type { AgentSession } from '../session/agent-session.js'
import type { AgentChatClient } from '../client.js'
import { ClientError } from '../connection/client-error.js'
import { onNextFrame } from './frame.js'
import { changedView, foldedView, type SessionView } from './session-view.js'
import { TimelinePart } from './timeline-part.js'
import { Watched } from './watched.js'

export type SessionRows = TimelineRows & {
  /** The current state of one item; to render it, use `useTimelineItem`. */
  readonly item: (id: string) => Item | undefined
  /** Items away from the end, after `loadAround`. */
  readonly part: TimelineRows | undefined
  /** Loads the items around an event: as `part` when they are far from the end, and without one from there on. */
  readonly loadAround: (seq: number) => Promise<void>
}

export type TimelineRows = {
  /** The ids of the items in reading order; a new array only when items are added or moved. */
  readonly ids: readonly string[]
  /** Falls when earlier items are loaded; 0 at the beginning of the conversation. */
  readonly start: number
  readonly hasOlder: boolean
  /** Reads the items before the first one. */
  readonly loadOlder: () => Promise<void>
  /** Reads the items after the last one of a part. */
  readonly loadNewer: () => Promise<void>
}

/** Sessions of up to this many events are read completely; longer ones are opened at their end. */
const READ_WHOLE = 100
const PAGE = 60
/** Events that are loaded after the one that `loadAround` is asked for. */
const AFTER = 30

export class SessionStore {
  readonly id: string
  readonly view: Watched<SessionView>
  readonly rows: Watched<SessionRows>
  readonly #client: AgentChatClient
  readonly #watchers = new Map<string, Set<() => void>>()
  readonly #dirty = new Set<string>()
  #transcript: Transcript | undefined
  /** Items before the transcript. */
  #older = this.#newPart()
  #part: TimelinePart | undefined
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
    this.rows = new Watched<SessionRows>(this.#readRows())
  }

  get isUsed(): boolean {
    return this.#users > 0
  }

  readonly item = (id: string): Item | undefined =>
    (this.#transcript && findItem(this.#transcript, id)) ??
    this.#older.items.get(id) ??
    this.#part?.items.get(id)

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
    this.#older = this.#newPart()
    this.#part = undefined
    this.#setRows()
    this.view.set({ ...this.view.get(), is: 'loading', session: undefined, info: undefined })
    return this.#follow()
  }

  #end(error: ClientError): void {
    this.#hasEnded = true
    const is = error.code === 'session_not_found' ? 'missing' : 'failed'
    this.view.set({ ...this.view.get(), is, error })
  }

  async #open(signal?: AbortSignal): Promise<AgentSession> {
    const { session: known } = this.view.get()
    if (known) return known
    const session = await this.#client.openSession(this.id, { signal })
    this.view.set({ ...this.view.get(), session, info: session.info })
    return session
  }

  async #begin(session: AgentSession, signal: AbortSignal): Promise<Transcript> {
    if (session.info.lastSeq <= READ_WHOLE) return emptyTranscript()
    const { items, before, state } = await session.timeline({ limit: PAGE, signal })
    this.#older.start = before ?? 0
    for (const { id } of items) this.#dirty.add(id)
    return loadState(state, items)
  }

  #newPart(end?: number): TimelinePart {
    return new TimelinePart(
      async (before) => (await this.#open()).timeline({ limit: PAGE, before }),
      end,
    )
  }

  readonly #loadAround = async (seq: number): Promise<void> => {
    const { start, end } = this.#part ?? this.#older
    if (seq >= start && seq < end) return
    let part
    if (seq < this.#older.start) {
      part = this.#newPart(seq + AFTER)
      await part.loadOlder(part.end)
    }
    this.#part = part
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
    this.#notify(changed)
    const view = this.view.get()
    // The last events of a removed session may be rendered after its end.
    const state = this.#hasEnded ? {} : ({ is: 'ready', error: undefined } as const)
    const next = changedView(view, { ...state, ...foldedView(transcript) })
    if (next !== view) this.view.set(next)
  }

  /** Only prompts move, when their turn begins; other items keep their position. */
  #mayChangeRows(changed: readonly string[]): boolean {
    if (this.#itemsOf(this.#older).length !== this.rows.get().ids.length) return true
    return changed.some((id) => this.item(id)?.type === 'user')
  }

  #setRows(): void {
    const part = this.#part
    // A part that has reached the other items belongs to them.
    if (part && part.end >= this.#older.start) {
      for (const [id, item] of this.#older.items) part.items.set(id, item)
      part.end = this.#older.end
      this.#older = part
      this.#part = undefined
    }
    this.rows.set(this.#readRows())
    this.#notify(part?.items.keys() ?? [])
  }

  #readRows(): SessionRows {
    return {
      ...this.#readPart(this.#older),
      item: this.item,
      part: this.#part && this.#readPart(this.#part),
      loadAround: this.#loadAround,
    }
  }

  #readPart(part: TimelinePart): TimelineRows {
    const load = async (loading: Promise<void>): Promise<void> => {
      await loading
      this.#setRows()
    }
    return {
      ids: inReadingOrder(this.#itemsOf(part)).map(({ id }) => id),
      start: part.start,
      hasOlder: part.start > 0,
      loadOlder: () => load(part.loadOlder()),
      loadNewer: () => load(part.loadNewer(this.#older.start)),
    }
  }

  #itemsOf(part: TimelinePart): readonly Item[] {
    const live = part === this.#part ? [] : (this.#transcript?.index.keys() ?? [])
    return [...new Set([...part.items.keys(), ...live])]
      .flatMap((id) => this.item(id) ?? [])
      .filter((item) => part.has(item))
  }

  #notify(ids: Iterable<string>): void {
    for (const id of ids) for (const listener of this.#watchers.get(id) ?? []) listener()
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
