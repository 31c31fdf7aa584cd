// Runs the repository's check command in the work tree of a session, and shows its terminal.
import { type SessionView, useHub } from '@quayside/client/react'
import { useLists } from '../../hub/hub-context.js'
import { showToast } from '../../shared/controls/toasts.js'
import { problemOf } from '../../shared/problem.js'
import { navigate, sessionPath } from '../../shared/route.js'
import { hubSentence } from '../../strings/strings.js'

/** Undefined when the repository has no check command. */
export function useCheck({ info }: SessionView): (() => Promise<void>) | undefined {
  const { http } = useHub()
  const { repos } = useLists()
  const repo = repos.find(({ id }) => id === info?.repoId)
  if (!info || repo?.settings?.check === undefined) return undefined
  const { id: sessionId } = info
  return async () => {
    try {
      const input = { sessionId }
      const check = await http.call('POST /api/sessions/{sessionId}/workspace/check', input)
      const { terminalId: terminal, reason = '' } = check
      if (terminal === undefined) showToast({ text: hubSentence(reason) })
      else navigate(sessionPath(sessionId, { tab: 'terminals', terminal }))
    } catch (error) {
      showToast({ text: problemOf(error) })
    }
  }
}
