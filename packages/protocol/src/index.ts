// The public list for browsers and Node. Shapes of the API are types only, so that no bundle carries zod.
export * from './acp/acp.js'
export * from './acp/agent-capabilities.js'
export * from './events/agent-options.js'
export { currentStepOf } from './transcript/current-step.js'
export * from './text/cut-text.js'
export { diffLines, type DiffLine } from './text/diff-lines.js'
export * from './api/error-codes.js'
export * from './events/events.js'
export { isSessionFailure } from './events/session-failure.js'
export { noticeOf, type Notice } from './transcript/fold-notice.js'
export { isReplacement } from './transcript/fold-update.js'
export { Html, html, type Piece, prose } from './text/html.js'
export * from './acp/known-update.js'
export * from './transcript/message-content.js'
export * from './events/alerts.js'
export { asPlainText, escapeInvisible } from './text/escape-invisible.js'
export * from './acp/question-fields.js'
export * from './transcript/restore-transcript.js'
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
  type OpenRun,
  type QueuedTurn,
  type RunningAgent,
  type RunningTurn,
  type SessionState,
  stateOf,
  type Transcript,
} from './transcript/transcript-state.js'
export type { TranscriptAbout } from './export/transcript-words.js'
export type { Shape } from './shape.js'
export type { CurrentStep } from './transcript/current-step-schema.js'
export type { MessageContent, MessageRole } from './transcript/message-schemas.js'
export type {
  CallInput,
  CallOutput,
  CommandAddress,
  SocketCommandName,
  SocketInput,
  SocketOutput,
} from './api/commands.js'
export type { CreatedToken, LoginCode, LoginCodeState, Principal, Token } from './api/access.js'
export type { Authentication, Extension, ExtensionDetail } from './api/agents.js'
export type { PendingPermission, PendingQuestion } from './api/decisions.js'
export type { ErrorBody, Media } from './api/hub.js'
export type { HubNotification } from './api/notifications.js'
export type { LastProbe } from './api/probe-schemas.js'
export type { EventPage, SessionChanges, Timeline } from './api/reading.js'
export type { FileChange, Repo, RepoDiff, RepoFile, RepoFiles, RepoStatus } from './api/repos.js'
export type {
  ExcerptPart,
  ListedSession,
  Message,
  SessionDetail,
  SessionList,
  SessionSummary,
} from './api/sessions.js'
export type { Terminal, TerminalExit, TerminalPiece } from './api/terminals.js'
export type { PromptAccepted, QueuedPrompt } from './api/turns.js'
export type { WireFrame } from './api/wire-schemas.js'
