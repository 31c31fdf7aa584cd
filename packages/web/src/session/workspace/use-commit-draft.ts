// The message of a commit, drafted by the hub from the conversation.
import { useHub } from '@quayside/client/react'
import { useCallback } from 'react'
import { useLoaded } from '../../shared/use-loaded.js'
import type { Step } from './workspace-form.js'

/** Undefined until it is loaded, and for steps without a message. */
export function useCommitDraft(sessionId: string, step: Step): string | undefined {
  const { http } = useHub()
  const load = useCallback(
    (signal: AbortSignal) =>
      http.call('GET /api/sessions/{sessionId}/workspace/draft', { sessionId }, { signal }),
    [http, sessionId],
  )
  const { value } = useLoaded(load)
  return step === 'commit' || step === 'bringIn' ? value?.[step] : undefined
}
