// The content of the side panels of a session: changes, terminals, files, preview and wire. Loaded when they first open.
import '../styles/panels.css'
import type { SessionChanges } from '@quayside/client'
import { inOwnScript } from '../shared/controls/trouble.js'
import type { Loaded } from '../shared/use-loaded.js'
import { strings } from '../strings/strings.js'
import { ChangesPanel } from './changes/changes-panel.js'
import { FilesPanel } from './files/files-panel.js'
import { PanelHead } from './panel-frame.js'
import type { PanelProps } from './parts/panel-props.js'
import { PanelNotice } from './parts/panel-notice.js'
import { PreviewPanel } from './preview/preview-panel.js'
import { PANEL_TABS } from '../shared/route.js'
import { showPanel, usePanelState } from '../shared/panel-location.js'
import { TabList } from './parts/tab-list.js'
import { useTerminals } from './terminals/use-terminals.js'
import { WirePanel } from './wire/wire-panel.js'

const words = strings.panels

const TerminalsPanel = inOwnScript(
  async () => (await import('./terminals/terminals-panel.js')).TerminalsPanel,
  () => <PanelNotice text={strings.common.loading} />,
)

type SessionPanelsProps = PanelProps & { readonly changes: Loaded<SessionChanges> }

export function SessionPanels({ sessionId, repoId, changes }: SessionPanelsProps) {
  const { tab = 'changes', file, line, terminal } = usePanelState(sessionId)
  const terminals = useTerminals(sessionId, repoId)
  const counts = {
    changes: changes.value?.is === 'known' ? changes.value.total : 0,
    terminals: terminals.value?.here.filter(({ exit }) => exit === null).length ?? 0,
    files: 0,
    preview: 0,
    wire: 0,
  }
  const tabs = PANEL_TABS.map((id) => ({ id, name: words.tabs[id], count: counts[id] }))

  return (
    <>
      <PanelHead sessionId={sessionId}>
        <TabList
          className="panel-tabs"
          label={words.panel}
          tabs={tabs}
          selected={tab}
          controls="session-panel"
          onSelect={(id) => showPanel(sessionId, id)}
        />
      </PanelHead>
      <div
        id="session-panel"
        className="panel-body"
        role="tabpanel"
        aria-label={words.tabs[tab]}
        data-tab={tab}
      >
        {tab === 'changes' && (
          <ChangesPanel sessionId={sessionId} repoId={repoId} changes={changes} />
        )}
        {tab === 'terminals' && (
          <TerminalsPanel sessionId={sessionId} terminals={terminals} wanted={terminal} />
        )}
        {tab === 'files' && (
          <FilesPanel sessionId={sessionId} repoId={repoId} file={file} line={line} />
        )}
        {tab === 'preview' && <PreviewPanel sessionId={sessionId} />}
        {tab === 'wire' && <WirePanel sessionId={sessionId} />}
      </div>
    </>
  )
}
