// The session whose panels are open: every panel takes these props.

export type PanelProps = { readonly sessionId: string; readonly repoId: string }
