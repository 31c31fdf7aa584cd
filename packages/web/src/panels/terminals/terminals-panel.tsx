// The terminals of the session's work tree as tabs, those elsewhere in its repository as a list, and the selected one.
import type { Terminal } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import { useHub } from '@quayside/client/react'
import { useState } from 'react'
import { useMay } from '../../hub/hub-context.js'
import { Icon } from '../../shared/controls/icon.js'
import { shown } from '../../shared/controls/path-text.js'
import { usePreferences } from '../../shared/preferences.js'
import { problemOf } from '../../shared/problem.js'
import type { Loaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings/strings.js'
import { PanelNotice } from '../parts/panel-notice.js'
import { showPanel } from '../../shared/panel-location.js'
import { TabList } from '../parts/tab-list.js'
import { AgentCommandView } from './agent-command.js'
import { OneTerminal } from './one-terminal.js'
import { OtherTerminals } from './other-terminals.js'
import { useAgentCommands, type AgentCommand } from './use-agent-commands.js'
import type { PlacedTerminals } from './use-terminals.js'

const words = strings.panels

type TerminalsPanelProps = {
  readonly sessionId: string
  readonly terminals: Loaded<PlacedTerminals>
  /** The id of the terminal or agent command to show. */
  readonly wanted: string | undefined
}

export function TerminalsPanel(props: TerminalsPanelProps) {
  const mayOpen = useMay('admin')
  return mayOpen ? <Terminals {...props} /> : <PanelNotice text={words.terminalsNeedAdmin} />
}

function Terminals({ sessionId, terminals: loaded, wanted }: TerminalsPanelProps) {
  const client = useHub()
  const { useXterm } = usePreferences()
  const { value: placed, problem, reload } = loaded
  const { here = [], elsewhere = [] } = placed ?? {}
  const [refusal, setRefusal] = useState<string>()
  const commands = useAgentCommands(sessionId)
  const asked = [...here, ...elsewhere].find(({ id }) => id === wanted)
  const command =
    commands.find(({ terminal: { terminalId } }) => terminalId === wanted) ??
    (placed && !asked && here.length === 0 ? commands[0] : undefined)
  const terminal = command ? undefined : (asked ?? here.at(-1))
  const show = (id: string) => showPanel(sessionId, 'terminals', { terminal: id })

  async function open() {
    setRefusal(undefined)
    try {
      show((await terminalsOf(client).open({ sessionId })).id)
      reload()
    } catch (error) {
      setRefusal(problemOf(error))
    }
  }

  if (!useXterm) return <PanelNotice text={words.xtermOff} />
  if (problem) return <PanelNotice text={problem} />
  if (!placed) return <PanelNotice text={strings.common.loading} />
  return (
    <>
      {refusal && (
        <p className="panel-problem" role="alert">
          {refusal}
        </p>
      )}
      {terminal || command ? (
        <>
          <div className="panel-bar terminal-bar">
            <AgentCommands commands={commands} chosen={command} onChoose={show} />
            <TabList
              className="terminal-tabs"
              label={words.terminalTabs}
              tabs={here.map((each, at) => ({ id: each.id, name: nameOf(each, at) }))}
              selected={terminal?.id}
              controls="terminal"
              onSelect={show}
            />
            <OtherTerminals terminals={elsewhere} chosen={terminal?.id} onChoose={show} />
            <button
              className="panel-button"
              aria-label={words.newTerminal}
              onClick={() => void open()}
            >
              <Icon name="plus" />
            </button>
          </div>
          {command && <AgentCommandView key={command.terminal.terminalId} command={command} />}
          {terminal && (
            <OneTerminal
              key={terminal.id}
              terminal={terminal}
              onChange={reload}
              onClosed={reload}
            />
          )}
        </>
      ) : (
        <PanelNotice text={words.noTerminals}>
          <p>{words.terminalsLast}</p>
          <button className="button" onClick={() => void open()}>
            <Icon name="terminal" />
            {words.openTerminal}
          </button>
          <OtherTerminals terminals={elsewhere} chosen={undefined} onChoose={show} />
        </PanelNotice>
      )}
    </>
  )
}

type AgentCommandsProps = {
  readonly commands: readonly AgentCommand[]
  readonly chosen: AgentCommand | undefined
  readonly onChoose: (terminalId: string) => void
}

function AgentCommands({ commands, chosen, onChoose }: AgentCommandsProps) {
  if (commands.length === 0) return null
  return (
    <select
      className="panel-select"
      aria-label={words.agentCommands}
      value={chosen?.terminal.terminalId ?? ''}
      onChange={({ target }) => onChoose(target.value)}
    >
      {!chosen && <option value="">{words.agentCommands}</option>}
      {commands.map(({ terminal: { terminalId, isRunning }, line }) => (
        <option key={terminalId} value={terminalId}>
          {shown(line)}
          {isRunning && ` (${words.runs})`}
        </option>
      ))}
    </select>
  )
}

function nameOf({ label, exit }: Terminal, at: number): string {
  return `${at + 1} ${shown(label)}${exit === null ? '' : ` (${words.ended})`}`
}
