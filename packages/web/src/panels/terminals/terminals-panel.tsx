// The terminals of the session's repository: one tab each, and the one that is chosen.
import type { Terminal } from '@quayside/client'
import { useClient } from '@quayside/client/react'
import { useState } from 'react'
import { Icon } from '../../shared/icon.js'
import { usePreferences } from '../../shared/preferences.js'
import { problemOf } from '../../shared/problem.js'
import type { Loaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings.js'
import { PanelNotice } from '../panel-notice.js'
import { shown } from '../../shared/path-text.js'
import { TabList } from '../tab-list.js'
import { OneTerminal } from './one-terminal.js'

const words = strings.panels

type TerminalsPanelProps = {
  readonly sessionId: string
  readonly terminals: Loaded<readonly Terminal[]>
}

export function TerminalsPanel({ sessionId, terminals: loaded }: TerminalsPanelProps) {
  const client = useClient()
  const { useXterm } = usePreferences()
  const { value: terminals, problem, reload } = loaded
  const [chosen, setChosen] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const terminal = terminals?.find(({ id }) => id === chosen) ?? terminals?.at(-1)

  async function open() {
    setRefusal(undefined)
    try {
      setChosen((await client.terminals.open({ sessionId })).id)
      reload()
    } catch (error) {
      setRefusal(problemOf(error))
    }
  }

  if (!useXterm) return <PanelNotice text={words.xtermOff} />
  if (problem) return <PanelNotice text={problem} />
  if (!terminals) return <PanelNotice text={strings.common.loading} />
  return (
    <>
      {refusal && (
        <p className="panel-problem" role="alert">
          {refusal}
        </p>
      )}
      {terminal ? (
        <>
          <div className="panel-bar terminal-bar">
            <TabList
              className="terminal-tabs"
              label={words.terminalTabs}
              tabs={terminals.map((each, at) => ({ id: each.id, name: nameOf(each, at) }))}
              selected={terminal.id}
              controls="terminal"
              onSelect={setChosen}
            />
            <button
              className="panel-button"
              aria-label={words.newTerminal}
              onClick={() => void open()}
            >
              <Icon name="plus" />
            </button>
          </div>
          <OneTerminal key={terminal.id} terminal={terminal} onChange={reload} onClosed={reload} />
        </>
      ) : (
        <PanelNotice text={words.noTerminals}>
          <p>{words.terminalsLast}</p>
          <button className="button" onClick={() => void open()}>
            <Icon name="terminal" />
            {words.openTerminal}
          </button>
        </PanelNotice>
      )}
    </>
  )
}

function nameOf({ label, exit }: Terminal, at: number): string {
  return `${at + 1} ${shown(label)}${exit === null ? '' : ` (${words.ended})`}`
}
