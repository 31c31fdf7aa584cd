// The public list for browsers and Node. Shapes of the API are types only, so that no bundle carries zod.
export * from './acp/acp.js'
export { readStoredDiff, type StoredDiff } from './acp/stored-diff.js'
export * from './acp/agent-capabilities.js'
export * from './events/agent-options.js'
export { currentStepOf } from './transcript/current-step.js'
export * from './text/cut-text.js'
export { wantedPattern } from './text/wanted-pattern.js'
export { diffLines, type DiffLine } from './text/diff-lines.js'
export { unifiedDiff, type UnifiedDiff } from './text/unified-diff.js'
export * from './api/error-codes.js'
export * from './events/events.js'
export { isSessionFailure } from './events/session-failure.js'
export { noticeOf, type Notice } from './transcript/fold-notice.js'
export { NOTICE_SENTENCES } from './transcript/notice-sentences.js'
export { isReplacement } from './transcript/fold-update.js'
export { Html, html, type Piece, prose } from './text/html.js'
export * from './acp/known-update.js'
export * from './transcript/message-content.js'
export { messageText } from './transcript/message-text.js'
export * from './events/alerts.js'
export { asPlainText, escapeInvisible } from './text/escape-invisible.js'
export * from './acp/question-fields.js'
export * from './transcript/saved-transcript.js'
export { includesScope, type Scope, SCOPES } from './api/scopes.js'
export { findOfferedToken, offerToken, selectProtocol } from './api/socket-token.js'
export * from './transcript/tool-call.js'
export * from './transcript/tool-title.js'
export * from './transcript/transcript.js'
export * from './export/transcript-entries.js'
export * from './export/transcript-html.js'
export * from './transcript/transcript-items.js'
export * from './export/transcript-markdown.js'
export {
  emptyTranscript,
  findItem,
  findItemOf,
  LATE_EVENTS,
  type OpenRun,
  type QueuedTurn,
  type RunningAgent,
  type RunningTurn,
  type Transcript,
} from './transcript/transcript-state.js'
export type { TranscriptAbout } from './export/transcript-words.js'
export type { Shape } from './shape.js'
export type { CurrentStep } from './transcript/current-step-schema.js'
export type { MessageContent, MessageRole } from './transcript/message-schemas.js'
export type {
  CallInput,
  CallName,
  CallOutput,
  CommandAddress,
  CommandName,
  NameAt,
  SocketCommandName,
  SocketInput,
  SocketOutput,
} from './api/commands.js'
export type {
  CreatedToken,
  LoginCode,
  LoginCodeState,
  Principal,
  ReachState,
  ReachWay,
  Token,
} from './api/rooms/access.js'
export type { Authentication, Extension, ExtensionDetail, LastProbe } from './api/rooms/agents.js'
export type { Clone } from './api/rooms/clones.js'
export type { ComparedSession, Comparison } from './api/rooms/sessions/comparisons.js'
export type { PreviewPort } from './api/rooms/processes.js'
export type { PendingPermission, PendingQuestion } from './api/rooms/sessions/decisions.js'
export type { ErrorBody, Health, HubPlace, KnownHub, Media } from './api/rooms/hubs.js'
export type { HubNotification } from './api/notifications.js'
export type {
  EventPage,
  FoundPlace,
  FoundPlaces,
  SessionChanges,
  Timeline,
  WireFrame,
} from './api/rooms/sessions/reading.js'
export type { RepoSettings } from './api/session-settings.js'
export type {
  FileChange,
  Repo,
  RepoDiff,
  RepoFile,
  RepoFiles,
  RepoStatus,
} from './api/rooms/repos.js'
export type {
  ExcerptPart,
  ListedSession,
  Message,
  SessionDetail,
  SessionList,
  SessionSummary,
} from './api/rooms/sessions/sessions.js'
export type { Terminal, TerminalExit, TerminalPiece } from './api/rooms/terminals.js'
export type { PromptAccepted, QueuedPrompt } from './api/rooms/sessions/turns.js'
export type {
  Checkpoint,
  Checkpoints,
  Restored,
  UndoInput,
  CommitDrafts,
  UnsavedWork,
  WorkspaceAction,
  WorkspaceResult,
  WorktreeInProgress,
} from './api/rooms/sessions/workspaces.js'
