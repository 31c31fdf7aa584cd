// What REST and the WebSocket carry besides events: the objects a client sees, with times in ISO 8601.
import type {
  ContentBlock,
  PermissionOption,
  PermissionOutcome,
  ToolCallFields,
} from '../acp/acp.js'
import type { SessionEvent, SessionStatus } from '../events/events.js'
import type { Scope } from './scopes.js'
import type { Item } from '../transcript/transcript-items.js'
import type { SessionState } from '../transcript/transcript-state.js'

export type Repo = {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly branch?: string
  readonly missing: boolean
  readonly createdAt: string
}

/** How one kind of agent is launched, as clients see it. */
export type Extension = {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly enabled: boolean
  /** It is in the data directory, and can be removed. */
  readonly isOwn?: true
  readonly state: 'enabled' | 'disabled' | 'broken'
  /** Why it is broken: the file, the field and what is allowed. */
  readonly problem?: string
  /** Whether its program was found; only of enabled ones. */
  readonly installed?: boolean
  /** Its processes that wait for a session; only of enabled ones. */
  readonly warm?: {
    readonly wanted: number
    readonly ready: number
    readonly starting: number
    readonly problem?: string
  }
  /** Of the last probe since the hub started. */
  readonly lastProbe?: LastProbe
}

export type LastProbe = {
  readonly state: 'ready' | 'needs_sign_in' | 'not_installed' | 'broken'
  readonly problem?: string
  readonly version?: string
  readonly probedAt: string
}

/** What people need to know of one kind of agent before they use it; of one that is broken or disabled, nothing more. */
export type ExtensionDetail = Extension & {
  readonly website?: string
  readonly install?: string
  /** The variable of the hub's environment that names its program. */
  readonly pathEnv?: string
  readonly processModel?: 'per-session' | 'shared'
  readonly services?: readonly ('fs' | 'terminal')[]
  readonly auth?: {
    /** Keys it takes, each a secret of `PUT /api/extensions/:id/settings`. */
    readonly env: readonly {
      readonly name: string
      readonly label: string
      readonly url?: string
      readonly isSet: boolean
    }[]
    /** How its program is started in a terminal to sign in. */
    readonly terminal?: { readonly args: readonly string[] }
  }
}

/** Who is asking: the name events carry as `by`, and what it may do. */
export type Principal = {
  readonly name: string
  readonly scope: Scope
  /** Its id among the tokens; absent for the token in the hub's own settings. */
  readonly id?: string
}

/** Somebody who may use the hub: a program with a token, or a browser that is signed in. */
export type Token = Principal & {
  readonly id: string
  readonly kind: 'token' | 'cookie'
  readonly createdAt: string
  /** To the minute. */
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
}

/** With its secret, which is shown this once. */
export type CreatedToken = Token & { readonly token: string }

/** How a one-time sign-in code stands; `id` names it without being it. */
export type LoginCodeState = {
  readonly id: string
  readonly expiresAt: string
  readonly isUsed: boolean
}

export type LoginCode = Omit<LoginCodeState, 'isUsed'> & { readonly code: string }

/** A terminal of a person, not one of an agent. */
export type Terminal = {
  readonly id: string
  /** Null for the sign-in of an agent, which works in no repository. */
  readonly repoId: string | null
  readonly sessionId: string | null
  /** What runs in it, short enough for a tab. */
  readonly label: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly pid: number
  readonly cols: number
  readonly rows: number
  readonly startedAt: string
  /** How it ended; null while it runs. */
  readonly exit: TerminalExit | null
}

export type TerminalExit = {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly at: string
}

/** The next part of a terminal's output. Offsets count the bytes of the text as UTF-8. */
export type TerminalPiece = {
  readonly offset: number
  /** Where the next part begins; follow with it as `after` to go on. */
  readonly next: number
  readonly data: string
  /** What is lost between `after` and `offset`: the reader was too slow or too late. */
  readonly skippedBytes: number
}

/** One line between the hub and an agent, without secrets. */
export type WireFrame = {
  /** When it passed, in ms since 1970. */
  readonly at: number
  /** As the hub sees it: `in` is what the agent wrote. */
  readonly direction: 'in' | 'out' | 'stderr'
  readonly process: string
  /** The first characters of our session's id, or of the agent's own while ours is not known. */
  readonly session?: string
  /** A JSON-RPC message; what is none is a string. */
  readonly frame: unknown
  readonly bytes: number
  /** Only its beginning was kept. */
  readonly cut?: true
  /** Where it is not as ACP says, each with its JSON path: `params.update.content: is missing`. */
  readonly faults?: readonly string[]
}

/** What a live session is doing; absent when the session has ended. */
export type Activity = 'starting' | 'idle' | 'working' | 'waiting'

/** What a live session waits for, or the tool call it is in the middle of. */
export type CurrentStep =
  | { readonly type: 'permission' | 'question' }
  | {
      readonly type: 'tool'
      readonly kind: string
      readonly title: string
      /** The file that it is about, if it names one. */
      readonly path?: string
    }

export type SessionSummary = {
  readonly id: string
  readonly repoId: string
  readonly extensionId: string
  readonly status: SessionStatus
  readonly activity?: Activity
  readonly step?: CurrentStep
  readonly title: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly lastSeq: number
  readonly pinned: boolean
  readonly archived: boolean
  /** Prompts that were accepted. */
  readonly turnCount: number
  readonly messageCount: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly endedAt: string | null
}

export type MessageRole = 'user' | 'agent' | 'system'

/** One message of seed 003's shape; `content.type` says what it is. */
export type Message = {
  readonly id: string
  readonly sessionId: string
  readonly turnId: string | null
  readonly role: MessageRole
  readonly content: MessageContent
  readonly seq: number
  readonly updatedSeq: number
  readonly timestamp: string
  readonly updatedAt: string
}

export type MessageContent =
  | {
      readonly type: 'text'
      readonly text: string
      readonly partial?: boolean
      readonly blocks?: readonly ContentBlock[]
    }
  | { readonly type: 'thought'; readonly text: string; readonly partial: boolean }
  | {
      readonly type: 'image'
      readonly mimeType: string
      readonly url?: string
      readonly data?: string
    }
  | { readonly type: 'plan'; readonly steps: readonly unknown[] }
  | {
      readonly type: 'tool'
      readonly tool: string
      readonly args: unknown
      readonly result: unknown
      readonly toolCallId: string
      readonly title: string
      readonly kind: string
      readonly status: string
      readonly partial: boolean
    }
  | {
      readonly type: 'permission'
      readonly permissionId: string
      readonly title: string
      readonly options: readonly PermissionOption[]
      readonly outcome: PermissionOutcome | null
      readonly by?: string
    }
  | { readonly type: 'status'; readonly text: string; readonly details?: unknown }
  | {
      readonly type: 'error'
      readonly text: string
      readonly code: string
      readonly details?: unknown
    }

export type SessionDetail = SessionSummary & {
  readonly repo: Repo
  /** What was chosen for it; for the rest the defaults of its agent count. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly messages: readonly Message[]
}

/** A piece of an excerpt, plain text; `match` marks the words that were searched for. */
export type ExcerptPart = { readonly text: string; readonly match: boolean }

/** A session in a list; when the list answers a search, with the newest of its texts that was found. */
export type ListedSession = SessionSummary & {
  readonly excerpt?: readonly ExcerptPart[]
  /** The event that text began with; absent when it is the title. */
  readonly foundSeq?: number
}

export type SessionList = {
  readonly sessions: readonly ListedSession[]
  readonly total: number
  /** True when a search found more than `total`. */
  readonly totalIsCapped?: boolean
  readonly limit: number
  readonly offset: number
  /** Asks for the next page; absent on the last one. */
  readonly nextCursor?: string
  /** How many sessions may be active at once. */
  readonly maxActive?: number
  /** The agents that have sessions, whichever are asked for. */
  readonly extensionIds?: readonly string[]
}

export type EventPage = { readonly events: readonly SessionEvent[]; readonly lastSeq: number }

/** The last part of a session, folded: items in reading order. */
export type Timeline = {
  readonly items: readonly Item[]
  /** Follow the events after this. */
  readonly seq: number
  /** Asks for what came earlier; absent at the beginning. */
  readonly before?: number
  /** With the last part: what the agent offers, and how it stands. */
  readonly state?: SessionState
}

/** A permission that waits for an answer. */
export type PendingPermission = {
  readonly permissionId: string
  readonly turnId?: string
  readonly toolCall: ToolCallFields
  readonly options: readonly PermissionOption[]
  readonly requestedAt: string
}

/** A question that waits for an answer. */
export type PendingQuestion = {
  readonly questionId: string
  readonly message: string
  readonly mode: string
  readonly requestedSchema?: unknown
  readonly url?: string
  readonly elicitationId?: string
  readonly askedAt: string
}

/** A prompt that still waits for its turn. */
export type QueuedPrompt = {
  readonly turnId: string
  readonly prompt: readonly ContentBlock[]
  readonly by?: string
  readonly queuedAt: string
}

/** An uploaded picture; its `url` goes into an image block as its `uri`. */
export type Media = {
  readonly id: string
  readonly url: string
  readonly mimeType: string
  readonly byteLength: number
}

/** The answer to a prompt: it is committed; `queued` means another turn runs before it. */
export type PromptAccepted = {
  readonly turnId: string
  readonly seq: number
  readonly queued: boolean
}

export type ErrorBody = {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details?: Readonly<Record<string, unknown>>
  }
}
