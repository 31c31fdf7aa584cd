// The public list of @quayside/client. Items, tool calls and all that events carry come from the protocol.
export { AgentChatClient } from './client.js'
export type {
  AgentChatClientOptions,
  ChangesOptions,
  TrustOptions,
  ChangesWish,
  FileFilter,
  Folders,
  NewSession,
  SessionChangesOptions,
  SessionChangesWish,
  SessionFilter,
} from './client.js'
export { AgentSession } from './session/agent-session.js'
export type {
  EventsOptions,
  PermissionAnswer,
  PromptOptions,
  QuestionAnswer,
  SessionChange,
} from './session/agent-session.js'
export { Agents } from './agents.js'
export type { NewAgent, SignInOutcome } from './agents.js'
export type { ChatEvent, ChatEventOf, ChatEventType } from './session/chat-events.js'
export type { Abortable } from './connection/http.js'
export type { Connection, ReconnectDelays } from './connection/connection.js'
export {
  ClientError,
  /** @deprecated Use `ClientError`. */ ClientError as HubError,
} from './connection/client-error.js'
export type { ClientErrorCode, HubErrorCode } from './connection/client-error.js'
export { policies } from './session/permission-policy.js'
export type {
  PermissionDecision,
  PermissionPolicy,
  PermissionRequest,
} from './session/permission-policy.js'
export type { FileMention, PromptInput, PromptPart } from './session/prompt-input.js'
export type { WebSocketConstructor, WebSocketLike } from './connection/rpc-socket.js'
export { SessionQueue } from './session/session-queue.js'
export type { SessionsChange } from './connection/session-watch.js'
export { Turn } from './session/turn.js'
export type { TurnResult } from './session/turn.js'
export type {
  Activity,
  ConfigOption,
  ContentBlock,
  CreatedToken,
  Extension,
  FileChange,
  FoundPlace,
  FoundPlaces,
  ExtensionDetail,
  Item,
  LoginCode,
  LoginCodeState,
  Media,
  PendingPermission,
  PendingQuestion,
  PermissionOption,
  PlanEntry,
  PromptAccepted,
  QueuedPrompt,
  Repo,
  RepoDiff,
  RepoFile,
  RepoFiles,
  RepoStatus,
  SessionChanges,
  SessionDetail,
  SessionEvent,
  SessionList,
  SessionStatus,
  SessionSummary,
  StopReason,
  Terminal,
  TerminalExit,
  Timeline,
  Token,
  ToolCall,
  WireFrame,
} from '@quayside/protocol'
export type {
  CleaningPlan,
  CleaningPolicy,
  Probe,
  PushSubscriptionBody,
  RunningProcess,
  SettingsField,
  SettingsSchema,
  SettingValue,
  SignInMethod,
  StorageUse,
} from '@quayside/protocol/schemas'
