// The changes panel: changes since the latest turn or the session began, or since the last commit, and the review of
// their lines.
import type { FileChange, SessionChanges } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { useCallback, useEffect, useState } from 'react'
import { Icon } from '../../shared/controls/icon.js'
import { LineCounts } from '../../shared/controls/line-counts.js'
import { useLoaded, type Loaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings/strings.js'
import { PanelNotice } from '../parts/panel-notice.js'
import type { PanelProps } from '../parts/panel-props.js'
import { ChangedFiles } from './changed-files.js'
import { OtherFiles } from './other-files.js'
import { useLatestTurn, useTreeChanges, useTurnChanges } from './use-changes.js'
import type { Scope } from './patches.js'

const words = strings.panels

type ChangesPanelProps = PanelProps & { readonly changes: Loaded<SessionChanges> }

export function ChangesPanel({ changes, ...props }: ChangesPanelProps) {
  const [scope, setScope] = useState<Scope>('session')
  const shared = { ...props, scope, onScope: setScope }
  if (scope === 'session') return <SessionScope {...shared} changes={changes} />
  return scope === 'turn' ? <TurnChanges {...shared} /> : <TreeChanges {...shared} />
}

type ScopedProps = PanelProps & {
  readonly scope: Scope
  readonly onScope: (scope: Scope) => void
  /** Present when the scope is one turn. */
  readonly turnId?: string | undefined
}

type SessionScopeProps = ScopedProps & { readonly changes: Loaded<SessionChanges> }

/** The page has loaded these changes, or is loading them; people edit files too, so opening the panel loads them again. */
function SessionScope({ changes, ...props }: SessionScopeProps) {
  const { reload } = changes
  useEffect(reload, [reload])
  return <Scoped {...props} changes={changes} />
}

function TurnChanges(props: ScopedProps) {
  const turnId = useLatestTurn(props.sessionId)
  return <Scoped {...props} turnId={turnId} changes={useTurnChanges(props.sessionId)} />
}

function TreeChanges(props: ScopedProps) {
  return <Scoped {...props} changes={useTreeChanges(props.sessionId, props.repoId)} />
}

function Scoped(props: SessionScopeProps) {
  const { scope, onScope, changes } = props
  const { value, problem, isLoading, reload } = changes
  return (
    <>
      <div className="panel-bar">
        <select
          className="panel-select"
          aria-label={strings.review.scope}
          value={scope}
          onChange={({ target }) => onScope(target.value as Scope)}
        >
          {Object.entries(strings.review.scopes).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
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
        <Known {...props} value={value} onStale={reload} />
      ) : (
        !problem && <PanelNotice text={strings.common.loading} />
      )}
    </>
  )
}

type KnownProps = ScopedProps & { readonly value: SessionChanges; readonly onStale: () => void }

function Known({ value, onStale, turnId = '', ...scoped }: KnownProps) {
  const { scope, repoId, sessionId } = scoped
  if (value.is !== 'known') return <PanelNotice text={unknownText(value.is, scope)} />
  const { files, total, isTruncated } = value
  const own = files.filter(({ by }) => !by)
  const others = files.filter(({ by }) => by)
  const notes = (
    <>
      <OtherFiles sessionId={sessionId} files={others} />
      {scope === 'session' && <DirtyNote sessionId={sessionId} repoId={repoId} files={files} />}
    </>
  )
  if (total === 0) return <PanelNotice text={words.nothingChanged[scope]}>{notes}</PanelNotice>
  return (
    <ChangedFiles key={scope + turnId} {...scoped} files={own} onStale={onStale}>
      {isTruncated && <p className="panel-note">{words.listCut(own.length, total)}</p>}
      {notes}
    </ChangedFiles>
  )
}

function unknownText(is: 'gone' | 'none', scope: Scope): string {
  if (is === 'none') return words.noTurn
  return scope === 'turn' ? words.turnGone : words.changesGone
}

type DirtyNoteProps = PanelProps & { readonly files: readonly FileChange[] }

/** Mentions uncommitted files that the session did not change. */
function DirtyNote({ sessionId, repoId, files: own }: DirtyNoteProps) {
  const { http } = useHub()
  const load = useCallback(
    async (signal: AbortSignal) => {
      const paths = new Set(own.map(({ path }) => path))
      const place = { repoId, sessionId }
      const { files } = await http.call('GET /api/repos/{repoId}/status', place, { signal })
      return files.some(({ path }) => !paths.has(path))
    },
    [http, sessionId, repoId, own],
  )
  const { value: isDirty } = useLoaded(load)
  return isDirty && <p className="panel-note">{words.dirty}</p>
}
