// The panels beside a conversation.
export function SessionPanels(_: { readonly sessionId: string; readonly repoId: string }) {
  return null
}
