// The diffs of one compared session, loaded when they are unfolded.
import { useHub } from '@quayside/client/react'
import type { ComparedSession } from '@quayside/protocol'
import { useCallback } from 'react'
import { ChangedFile } from '../session/cards/changed-file.js'
import { useLoaded } from '../shared/use-loaded.js'
import { strings } from '../strings/strings.js'
import { compareWords as words } from './compare-words.js'

/** The diffs of further files are folded. */
const OPEN_FILES = 5

type SessionDiffsProps = { readonly session: ComparedSession; readonly agentName: string }

export function SessionDiffs({ session, agentName }: SessionDiffsProps) {
  const { http } = useHub()
  const { id: sessionId } = session
  const load = useCallback(
    (signal: AbortSignal) =>
      http.call('GET /api/sessions/{sessionId}/changes', { sessionId }, { signal }),
    [http, sessionId],
  )
  const { value, problem } = useLoaded(load)
  if (problem) return <p className="problem">{problem}</p>
  if (value === undefined) return <p className="muted">{strings.common.loading}</p>
  if (value.is !== 'known') return <p className="muted">{strings.panels.changesGone}</p>
  const { files, total, isTruncated } = value
  return (
    <div className="compare-diffs" tabIndex={0} role="group" aria-label={words.diffs(agentName)}>
      {files.map((file, at) => (
        <ChangedFile key={file.path} file={file} isOpen={at < OPEN_FILES} />
      ))}
      {isTruncated && <p className="output-note">{strings.panels.listCut(files.length, total)}</p>}
    </div>
  )
}
