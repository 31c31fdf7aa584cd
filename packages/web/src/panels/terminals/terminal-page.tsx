// A terminal as a page of its own, used to install an agent and to sign in to it.
import '../../styles/panels.css'
import { useHub } from '@quayside/client/react'
import { terminalsOf } from '@quayside/client/terminals'
import { useCallback } from 'react'
import { Icon } from '../../shared/controls/icon.js'
import { Link, navigate, settingsPath } from '../../shared/route.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { useTitle } from '../../shared/use-title.js'
import { strings } from '../../strings/strings.js'
import { PanelNotice } from '../parts/panel-notice.js'
import { shown } from '../../shared/controls/path-text.js'
import { OneTerminal } from './one-terminal.js'

const words = strings.panels

export function TerminalPage({ id }: { readonly id: string }) {
  const client = useHub()
  const load = useCallback(
    async (signal: AbortSignal) =>
      (await terminalsOf(client).list({ signal })).find((terminal) => terminal.id === id) ?? null,
    [client, id],
  )
  const { value: terminal, problem, reload } = useLoaded(load)
  useTitle(`${terminal ? shown(terminal.label) : words.openTerminal} · ${strings.appName}`)

  const { from = settingsPath('agents') } = (history.state ?? {}) as { from?: string }

  if (problem) return <PanelNotice text={problem} />
  if (terminal === undefined) return <PanelNotice text={strings.common.loading} />
  if (terminal === null) return <PanelNotice text={words.terminalGone} />
  return (
    <div className="terminal-page">
      <Link className="quiet-button terminal-back" href={from}>
        <Icon name="back" size={14} />
        {words.backToAgents}
      </Link>
      <OneTerminal terminal={terminal} onChange={reload} onClosed={() => navigate(from)} />
    </div>
  )
}
