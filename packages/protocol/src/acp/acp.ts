// The types of the Agent Client Protocol that Quayside stores and shows, as open TypeScript types.
// Open on purpose: agents send kinds and fields that no schema knows, and all of them are kept.

/** A string of a known set that may also have an unknown value. */
export type Open<Known extends string> = Known | (string & {})

export type Meta = { readonly _meta?: Readonly<Record<string, unknown>> | null }

export type TextContent = Meta & {
  readonly type: 'text'
  readonly text: string
  readonly annotations?: unknown
}
export type ImageContent = Meta & {
  readonly type: 'image'
  readonly mimeType: string
  readonly data?: string
  readonly uri?: string | null
}
export type AudioContent = Meta & {
  readonly type: 'audio'
  readonly mimeType: string
  readonly data?: string
}
export type ResourceLink = Meta & {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string | null
  readonly mimeType?: string | null
  readonly size?: number | null
}
export type EmbeddedResource = Meta & {
  readonly type: 'resource'
  readonly resource: {
    readonly uri: string
    readonly text?: string
    readonly blob?: string
    readonly mimeType?: string | null
  }
}
export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource

export type ToolKind = Open<
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'switch_mode'
  | 'other'
>
export type ToolStatus = Open<'pending' | 'in_progress' | 'completed' | 'failed'>

export type DiffContent = Meta & {
  readonly type: 'diff'
  readonly path: string
  readonly oldText?: string | null
  readonly newText: string
}

export type ToolCallContent =
  | { readonly type: 'content'; readonly content: ContentBlock }
  | DiffContent
  | { readonly type: 'terminal'; readonly terminalId: string }

export type ToolCallLocation = { readonly path: string; readonly line?: number | null }

/** The fields of a tool call; an update carries only the changed ones, and null means unchanged. */
export type ToolCallFields = Meta & {
  readonly toolCallId: string
  readonly title?: string | null
  readonly name?: string | null
  readonly kind?: ToolKind | null
  readonly status?: ToolStatus | null
  readonly content?: readonly ToolCallContent[] | null
  readonly locations?: readonly ToolCallLocation[] | null
  readonly rawInput?: unknown
  readonly rawOutput?: unknown
}

/** The fields that `readToolCall` found valid: none is null. */
export type KnownToolCall = {
  readonly [Field in keyof ToolCallFields]: Exclude<ToolCallFields[Field], null>
}

export type PlanEntry = Meta & {
  readonly content: string
  readonly priority?: Open<'high' | 'medium' | 'low'>
  readonly status?: Open<'pending' | 'in_progress' | 'completed'>
}

export type AvailableCommand = Meta & {
  readonly name: string
  readonly description: string
  readonly input?: { readonly hint?: string } | null
}

export type SessionMode = Meta & {
  readonly id: string
  readonly name: string
  readonly description?: string | null
}
export type SessionModes = {
  readonly currentModeId: string
  readonly availableModes: readonly SessionMode[]
}

export type ConfigOption = Meta & {
  readonly id: string
  readonly name: string
  readonly description?: string | null
  readonly category?: string | null
  readonly type: Open<'select' | 'boolean'>
  readonly currentValue: string | boolean
  readonly options?: readonly unknown[]
}

/** Token use of the agent's context window. */
export type Usage = {
  readonly used: number
  readonly size: number
  readonly cost?: { readonly amount: number; readonly currency: string } | null
}

type ChunkKind = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk'

/** A piece of a message; pieces of the same kind and message id append. */
export type ChunkUpdate = Meta & {
  readonly sessionUpdate: ChunkKind
  readonly content: ContentBlock
  readonly messageId?: string
}

/** The update variants Quayside understands. */
export type KnownUpdate =
  | ChunkUpdate
  | ({ readonly sessionUpdate: 'tool_call' | 'tool_call_update' } & KnownToolCall)
  | (Meta & { readonly sessionUpdate: 'plan'; readonly entries: readonly PlanEntry[] })
  | (Meta & {
      readonly sessionUpdate: 'available_commands_update'
      readonly availableCommands: readonly AvailableCommand[]
    })
  | (Meta & { readonly sessionUpdate: 'current_mode_update'; readonly currentModeId: string })
  | (Meta & {
      readonly sessionUpdate: 'config_option_update'
      readonly configOptions: readonly ConfigOption[]
    })
  | (Meta & {
      readonly sessionUpdate: 'session_info_update'
      readonly title?: string | null
      readonly updatedAt?: string | null
    })
  | (Meta & { readonly sessionUpdate: 'usage_update' } & Usage)

/** An update as an agent sent it; `readUpdate` validates it. */
export type SessionUpdate = { readonly sessionUpdate: string; readonly [field: string]: unknown }

export type PermissionOption = Meta & {
  readonly optionId: string
  readonly name: string
  readonly kind: Open<'allow_once' | 'allow_always' | 'reject_once' | 'reject_always'>
}

export type PermissionOutcome =
  | { readonly outcome: 'selected'; readonly optionId: string }
  | { readonly outcome: 'cancelled' }

export type StopReason = Open<
  'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled'
>
