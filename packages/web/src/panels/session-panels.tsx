// The side panels of a session: what changed, terminals, files, and the wire. Loaded when they are first opened.
import '../styles/panels.css'
import { strings } from '../strings.js'
import { lazy, Suspense } from 'react'
import { ChangesPanel } from './changes/changes-panel.js'
import { useChanges } from './changes/use-changes.js'
import { FilesPanel } from './files/files-panel.js'
import { PanelFrame } from './panel-frame.js'
import { PanelNotice } from './panel-notice.js'
import { PANEL_TABS, showPanel, usePanelState } from './panel-state.js'
import { TabList } from './tab-list.js'
import { WirePanel } from './wire/wire-panel.js'

const words = strings.panels

const TerminalsPanel = lazy(async () => {
  const { TerminalsPanel } = await import('./terminals/terminals-panel.js')
  return { default: TerminalsPanel }
})

export type SessionPanelsProps = { readonly sessionId: string; readonly repoId: string }

export function SessionPanels({ sessionId, repoId }: SessionPanelsProps) {
  const { tab, file, line, terminal } = usePanelState(sessionId)
  const changes = useChanges(sessionId)
  const changed = changes.value?.is === 'known' ? changes.value.total : 0
  const tabs = PANEL_TABS.map((id) => ({
    id,
    name: words.tabs[id],
    count: id === 'changes' ? changed : 0,
  }))

  return (
    <PanelFrame
      sessionId={sessionId}
      head={
        <TabList
          className="panel-tabs"
          label={words.panel}
          tabs={tabs}
          selected={tab}
          controls="session-panel"
          onSelect={(id) => showPanel(sessionId, id)}
        />
      }
    >
      <div
        id="session-panel"
        className="panel-body"
        role="tabpanel"
        aria-label={words.tabs[tab]}
        data-tab={tab}
      >
        <Suspense fallback={<PanelNotice text={strings.common.loading} />}>
          {tab === 'changes' && (
            <ChangesPanel sessionId={sessionId} repoId={repoId} changes={changes} />
          )}
          {tab === 'terminals' && (
            <TerminalsPanel sessionId={sessionId} repoId={repoId} wanted={terminal} />
          )}
          {tab === 'files' && (
            <FilesPanel sessionId={sessionId} repoId={repoId} file={file} line={line} />
          )}
          {tab === 'wire' && <WirePanel sessionId={sessionId} />}
        </Suspense>
      </div>
    </PanelFrame>
  )
}
