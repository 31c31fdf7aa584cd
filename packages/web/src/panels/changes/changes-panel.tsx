// What changed in the repository since the session began: the files, and the diff of the one that is chosen.
import type { FileChange, SessionChanges } from '@quayside/client'
import { useClient } from '@quayside/client/react'
import { useCallback } from 'react'
import { Icon } from '../../shared/icon.js'
import { LineCounts } from '../../shared/line-counts.js'
import { useLoaded, type Loaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings.js'
import { FileHead } from '../file-head.js'
import { PanelNotice } from '../panel-notice.js'
import { showFile, showPanel, usePanelState } from '../panel-state.js'
import { PathText, shown } from '../../shared/path-text.js'
import type { SessionPanelsProps } from '../session-panels.js'
import { PatchView } from './patch-view.js'

const words = strings.panels

type ChangesPanelProps = SessionPanelsProps & { readonly changes: Loaded<SessionChanges> }
type Known = Extract<SessionChanges, { is: 'known' }>

export function ChangesPanel({ sessionId, repoId, changes }: ChangesPanelProps) {
  const { value, problem, isLoading, reload } = changes
  return (
    <>
      <div className="panel-bar">
        <h2 className="panel-title">{words.changesTitle}</h2>
        {value?.is === 'known' && value.total > 0 && <LineCounts {...value} />}
        <span className="spacer" />
        <button className="panel-action" disabled={isLoading} onClick={reload}>
          <Icon name="refresh" size={14} />
          {words.refresh}
        </button>
      </div>
      {problem && (
        <p className="panel-problem" role="alert">
          {problem}
        </p>
      )}
      {value ? (
        <Changes sessionId={sessionId} repoId={repoId} changes={value} />
      ) : (
        !problem && <PanelNotice text={strings.common.loading} />
      )}
    </>
  )
}

function Changes(props: SessionPanelsProps & { readonly changes: SessionChanges }) {
  const { sessionId, repoId, changes } = props
  if (changes.is === 'gone') return <PanelNotice text={words.changesGone} />
  if (changes.total === 0)
    return (
      <PanelNotice text={words.noChanges}>
        <DirtyNote repoId={repoId} changes={changes} />
      </PanelNotice>
    )
  return <ChangedFiles sessionId={sessionId} repoId={repoId} changes={changes} />
}

function ChangedFiles(props: SessionPanelsProps & { readonly changes: Known }) {
  const { sessionId, repoId, changes } = props
  const { files, total, isTruncated } = changes
  const { file: chosen } = usePanelState(sessionId)
  const setChosen = (path: string | undefined) => showFile(sessionId, path)
  const file = files.find(({ path }) => path === chosen)

  return (
    <div className="changes" data-chosen={file !== undefined}>
      <div className="changes-list">
        <ul aria-label={words.changedFiles}>
          {files.map((change) => (
            <li key={change.path}>
              <ChangeRow
                change={change}
                isChosen={change === file}
                onChoose={() => setChosen(change === file ? undefined : change.path)}
              />
            </li>
          ))}
        </ul>
        {isTruncated && <p className="panel-note">{words.listCut(files.length, total)}</p>}
        <DirtyNote repoId={repoId} changes={changes} />
      </div>
      {file && (
        <div className="changes-file">
          <FileHead
            path={file.path}
            note={file.oldPath && words.renamedFrom(shown(file.oldPath))}
            onBack={() => setChosen(undefined)}
          >
            {file.status !== 'D' && (
              <button
                className="panel-action"
                onClick={() => showPanel(sessionId, 'files', file.path)}
              >
                {words.openFile}
              </button>
            )}
          </FileHead>
          <PatchView key={file.path} sessionId={sessionId} file={file} />
        </div>
      )}
    </div>
  )
}

type ChangeRowProps = {
  readonly change: FileChange
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function ChangeRow({ change, isChosen, onChoose }: ChangeRowProps) {
  const { path, status } = change
  return (
    <button className="file-row" aria-pressed={isChosen} onClick={onChoose}>
      <abbr className="file-mark" data-mark={status} title={words.statusNames[status]}>
        {status}
      </abbr>
      <PathText path={path} />
      <LineCounts {...change} />
    </button>
  )
}

/** Says so when git lists files that the session did not change. */
function DirtyNote({ repoId, changes }: { readonly repoId: string; readonly changes: Known }) {
  const client = useClient()
  const load = useCallback(
    async (signal: AbortSignal) => {
      const own = new Set(changes.files.map(({ path }) => path))
      const { files } = await client.repos.status(repoId, { signal })
      return files.some(({ path }) => !own.has(path))
    },
    [client, repoId, changes],
  )
  const { value: isDirty } = useLoaded(load)
  return isDirty && <p className="panel-note">{words.dirty}</p>
}
