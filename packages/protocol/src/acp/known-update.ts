// Validates the updates of agents, which send wrong types, nulls and unknown shapes.
// No function here throws: an unreadable value is undefined, and the log keeps the original.
import type {
  AvailableCommand,
  ChunkUpdate,
  ConfigOption,
  ContentBlock,
  KnownToolCall,
  KnownUpdate,
  PermissionOption,
  PlanEntry,
  SessionMode,
  SessionModes,
  ToolCallContent,
  ToolCallLocation,
} from './acp.js'
import { type Fields, isFields, type Writable } from './fields.js'

/** The update if its kind is known and its fields are valid ACP, else undefined. */
export function readUpdate(update: unknown): KnownUpdate | undefined {
  if (!isFields(update)) return undefined
  const { sessionUpdate } = update
  switch (sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return readChunk(update, sessionUpdate)
    case 'tool_call':
    case 'tool_call_update':
      return readToolUpdate(update, sessionUpdate)
    case 'plan':
      return readPlan(update)
    case 'available_commands_update':
      return readCommands(update)
    case 'current_mode_update':
      return readMode(update)
    case 'config_option_update':
      return readOptions(update)
    case 'session_info_update':
      return readInfo(update)
    case 'usage_update':
      return readUsage(update)
    default:
      return undefined
  }
}

/** A tool call with its valid fields; undefined without an id. An invalid field counts as absent. */
export function readToolCall(value: unknown): KnownToolCall | undefined {
  if (!isFields(value) || !isText(value['toolCallId'])) return undefined
  const { toolCallId, title, name, kind, status, content, locations, rawInput, rawOutput, _meta } =
    value
  const fields: Writable<KnownToolCall> = isFields(_meta) ? { toolCallId, _meta } : { toolCallId }
  if (isText(title)) fields.title = title
  if (isText(name)) fields.name = name
  if (isText(kind)) fields.kind = kind
  if (isText(status)) fields.status = status
  if (Array.isArray(content)) fields.content = content.filter(isToolCallContent)
  if (Array.isArray(locations)) fields.locations = locations.filter(isLocation)
  if (isPresent(rawInput)) fields.rawInput = rawInput
  if (isPresent(rawOutput)) fields.rawOutput = rawOutput
  return fields
}

export function readPermissionOptions(value: unknown): readonly PermissionOption[] {
  return Array.isArray(value) ? value.filter(isPermissionOption) : []
}

export function readModes(value: unknown): SessionModes | undefined {
  if (!isFields(value) || !isText(value['currentModeId'])) return undefined
  const modes = value['availableModes']
  const availableModes = Array.isArray(modes) ? modes.filter(isMode) : []
  return { currentModeId: value['currentModeId'], availableModes }
}

export function readConfigOptions(value: unknown): readonly ConfigOption[] | undefined {
  return Array.isArray(value) ? value.filter(isConfigOption) : undefined
}

function readChunk(
  { content, messageId, _meta }: Fields,
  sessionUpdate: ChunkUpdate['sessionUpdate'],
): ChunkUpdate | undefined {
  if (!isContentBlock(content)) return undefined
  const chunk: Writable<ChunkUpdate> = { sessionUpdate, content }
  if (isText(messageId)) chunk.messageId = messageId
  return isFields(_meta) ? { ...chunk, _meta } : chunk
}

function readToolUpdate(
  update: Fields,
  sessionUpdate: 'tool_call' | 'tool_call_update',
): KnownUpdate | undefined {
  const fields = readToolCall(update)
  return fields && Object.assign(fields, { sessionUpdate })
}

function readPlan({ entries }: Fields): KnownUpdate | undefined {
  if (!Array.isArray(entries)) return undefined
  return { sessionUpdate: 'plan', entries: entries.filter(isPlanEntry) }
}

function readCommands({ availableCommands }: Fields): KnownUpdate | undefined {
  if (!Array.isArray(availableCommands)) return undefined
  return {
    sessionUpdate: 'available_commands_update',
    availableCommands: availableCommands.filter(isCommand),
  }
}

function readMode({ currentModeId }: Fields): KnownUpdate | undefined {
  return isText(currentModeId) ? { sessionUpdate: 'current_mode_update', currentModeId } : undefined
}

function readOptions(update: Fields): KnownUpdate | undefined {
  const configOptions = readConfigOptions(update['configOptions'])
  return configOptions && { sessionUpdate: 'config_option_update', configOptions }
}

function readInfo({ title }: Fields): KnownUpdate | undefined {
  if (title === undefined) return { sessionUpdate: 'session_info_update' }
  if (title !== null && typeof title !== 'string') return undefined
  return { sessionUpdate: 'session_info_update', title }
}

function readUsage({ used, size, cost }: Fields): KnownUpdate | undefined {
  if (!isNumber(used) || !isNumber(size)) return undefined
  const usage = { sessionUpdate: 'usage_update', used, size } as const
  if (!isFields(cost) || !isNumber(cost['amount']) || !isText(cost['currency'])) return usage
  return { ...usage, cost: { amount: cost['amount'], currency: cost['currency'] } }
}

function isContentBlock(value: unknown): value is ContentBlock {
  if (!isFields(value)) return false
  switch (value['type']) {
    case 'text':
      return typeof value['text'] === 'string'
    case 'image':
      return isText(value['mimeType']) && (isText(value['data']) || isText(value['uri']))
    case 'audio':
      return isText(value['mimeType']) && isMaybe(value['data'], 'string')
    case 'resource_link':
      return isText(value['uri']) && isText(value['name'])
    case 'resource':
      return isResource(value['resource'])
    default:
      return false
  }
}

function isResource(value: unknown): boolean {
  if (!isFields(value) || !isText(value['uri'])) return false
  return isMaybe(value['text'], 'string') && isMaybe(value['blob'], 'string')
}

function isToolCallContent(value: unknown): value is ToolCallContent {
  if (!isFields(value)) return false
  switch (value['type']) {
    case 'content':
      return isContentBlock(value['content'])
    case 'diff':
      return (
        isText(value['path']) &&
        typeof value['newText'] === 'string' &&
        isMaybe(value['oldText'], 'string')
      )
    case 'terminal':
      return isText(value['terminalId'])
    default:
      return false
  }
}

function isLocation(value: unknown): value is ToolCallLocation {
  return isFields(value) && isText(value['path']) && isMaybe(value['line'], 'number')
}

function isPlanEntry(value: unknown): value is PlanEntry {
  return (
    isFields(value) &&
    typeof value['content'] === 'string' &&
    isMaybe(value['status'], 'string') &&
    isMaybe(value['priority'], 'string')
  )
}

function isCommand(value: unknown): value is AvailableCommand {
  return isFields(value) && isText(value['name']) && typeof value['description'] === 'string'
}

function isMode(value: unknown): value is SessionMode {
  return isFields(value) && isText(value['id']) && typeof value['name'] === 'string'
}

function isConfigOption(value: unknown): value is ConfigOption {
  if (!isFields(value) || !isText(value['id']) || typeof value['name'] !== 'string') return false
  return typeof value['currentValue'] === 'string' || typeof value['currentValue'] === 'boolean'
}

function isPermissionOption(value: unknown): value is PermissionOption {
  return (
    isFields(value) &&
    typeof value['optionId'] === 'string' &&
    typeof value['name'] === 'string' &&
    typeof value['kind'] === 'string'
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isMaybe(value: unknown, type: 'string' | 'number'): boolean {
  return !isPresent(value) || typeof value === type
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
