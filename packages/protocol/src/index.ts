export * from './acp.js'
export * from './agent-options.js'
export * from './api.js'
export { currentStepOf } from './current-step.js'
export * from './cut-text.js'
export { diffLines, type DiffLine } from './diff-lines.js'
export * from './error-codes.js'
export * from './events.js'
export { noticeOf, type Notice } from './fold-notice.js'
export { isReplacement } from './fold-update.js'
export { Html, html, type Piece, prose } from './html.js'
export * from './known-update.js'
export * from './message-content.js'
export * from './news.js'
export { asPlainText, inPlainSight } from './plain-sight.js'
export * from './question-fields.js'
export * from './repo-view.js'
export * from './restore-transcript.js'
export { includesScope, type Scope, SCOPES } from './scopes.js'
export * from './tool-call.js'
export * from './tool-title.js'
export * from './transcript.js'
export * from './transcript-entries.js'
export * from './transcript-html.js'
export * from './transcript-items.js'
export * from './transcript-markdown.js'
export {
  emptyTranscript,
  type OpenRun,
  type QueuedTurn,
  type RunningTurn,
  type SessionState,
  stateOf,
  type Transcript,
} from './transcript-state.js'
export type { TranscriptAbout } from './transcript-words.js'
