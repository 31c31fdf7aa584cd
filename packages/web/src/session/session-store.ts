// One open session: its events folded into a transcript, and told to components once a frame.
// A component watches the head, the order of the items, or one item, and draws only when that one changed.
import { HubError } from '@quayside/client'
import type { AgentChatClient, AgentSession } from '@quayside/client'
import {
  activityOf,
  applyEvent,
  emptyTranscript,
  inReadingOrder,
  type Activity,
  type Item,
  type SessionStatus,
} from '@quayside/protocol'
import { Store } from '../shared/store.js'

export type SessionHead = {
  readonly is: 'loading' | 'ready' | 'missing' | 'failed'
  readonly problem?: string
  readonly repoId?: string
  readonly extensionId?: string
  readonly title: string | null
  readonly status: SessionStatus
  readonly activity: Activity
  /** The first permission that waits for an answer, and how many do. */
  readonly permission: string | undefined
  readonly permissionCount: number
}

const LOADING: SessionHead = {
  is: 'loading',
  title: null,
  status: 'active',
  activity: 'idle',
  permission: undefined,
  permissionCount: 0,
}
const HIDDEN_FLUSH_MS = 500

export class SessionStore {
  readonly id: string
  readonly head = new Store(LOADING)
  /** The ids of the items, in reading order. */
  readonly order = new Store<readonly string[]>([])
  readonly #client: AgentChatClient
  readonly #transcript = emptyTranscript()
  readonly #watchers = new Map<string, Set<() => void>>()
  readonly #dirty = new Set<string>()
  #session: AgentSession | undefined
  #isFlushDue = false

  constructor(client: AgentChatClient, id: string) {
    this.id = id
    this.#client = client
  }

  item(id: string): Item | undefined {
    const position = this.#transcript.index.get(id)
    return position === undefined ? undefined : this.#transcript.items[position]
  }

  watchItem(id: string, listener: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set()
    this.#watchers.set(id, watchers.add(listener))
    return () => watchers.delete(listener)
  }

  /** Opens the session and folds its events, from the last one folded, until `signal` aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    try {
      this.#session ??= await this.#client.openSession(this.id)
      if (this.#session.info.lastSeq === 0) this.#flushSoon()
      for await (const event of this.#session.events({ after: this.#transcript.seq, signal })) {
        for (const id of applyEvent(this.#transcript, event)) this.#dirty.add(id)
        this.#flushSoon()
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof HubError)) throw error
      const is = error.code === 'session_not_found' ? 'missing' : 'failed'
      this.head.set({ ...this.head.get(), is, problem: error.message })
    }
  }

  async prompt(text: string): Promise<void> {
    await this.#session?.prompt(text).accepted
  }

  async cancel(): Promise<void> {
    await this.#session?.cancel()
  }

  async respond(permissionId: string, optionId: string): Promise<void> {
    await this.#session?.respond(permissionId, optionId)
  }

  #flushSoon(): void {
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    const flush = () => {
      this.#isFlushDue = false
      this.#flush()
    }
    // A hidden page is given no animation frames.
    if (document.hidden) setTimeout(flush, HIDDEN_FLUSH_MS)
    else requestAnimationFrame(flush)
  }

  #flush(): void {
    const info = this.#session?.info
    // While the past is being read nothing is drawn: the page appears once, complete.
    if (!info || this.#transcript.seq < info.lastSeq) return
    const changed = [...this.#dirty]
    this.#dirty.clear()
    if (this.#mayChangeOrder(changed))
      this.order.set(inReadingOrder(this.#transcript.items).map(({ id }) => id))
    for (const id of changed) {
      for (const listener of this.#watchers.get(id) ?? []) listener()
    }
    this.#setHead(info)
  }

  /** Only prompts move, when their turn begins; everything else stays where it was added. */
  #mayChangeOrder(changed: readonly string[]): boolean {
    if (this.order.get().length !== this.#transcript.items.length) return true
    return changed.some((id) => this.item(id)?.type === 'user')
  }

  #setHead({ repoId, extensionId }: AgentSession['info']): void {
    const { title, status, openPermissions } = this.#transcript
    const [permission] = openPermissions
    const head: SessionHead = {
      is: 'ready',
      repoId,
      extensionId,
      title,
      status,
      activity: activityOf(this.#transcript),
      permission,
      permissionCount: openPermissions.size,
    }
    if (!isSame(head, this.head.get())) this.head.set(head)
  }
}

function isSame(a: SessionHead, b: SessionHead): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
