// The panels beside a conversation.
import type { FunctionComponent } from 'react'

type SessionPanelsProps = { readonly sessionId: string; readonly repoId: string }

export const SessionPanels: FunctionComponent<SessionPanelsProps> = () => null
