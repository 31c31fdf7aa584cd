export * from './acp/acp.js'
export * from './acp/agent-options.js'
export * from './api/api.js'
export { currentStepOf } from './transcript/current-step.js'
export * from './text/cut-text.js'
export { diffLines, type DiffLine } from './text/diff-lines.js'
export * from './api/error-codes.js'
export * from './events/events.js'
export { noticeOf, type Notice } from './transcript/fold-notice.js'
export { isReplacement } from './transcript/fold-update.js'
export { Html, html, type Piece, prose } from './text/html.js'
export * from './acp/known-update.js'
export * from './transcript/message-content.js'
export * from './events/alerts.js'
export { asPlainText, escapeInvisible } from './text/escape-invisible.js'
export * from './acp/question-fields.js'
export * from './api/repo-view.js'
export * from './transcript/restore-transcript.js'
export { includesScope, type Scope, SCOPES } from './api/scopes.js'
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
  type RunningTurn,
  type SessionState,
  stateOf,
  type Transcript,
} from './transcript/transcript-state.js'
export type { TranscriptAbout } from './export/transcript-words.js'
