// A command that the agent runs or ran in this session: all of its output that is kept, growing while it runs. For reading.
import { inPlainSight } from '@quayside/protocol'
import { useEffect, useRef, useState } from 'react'
import { useAgentOutput, type AgentOutput } from '../../session/agent-output.js'
import { useElapsed } from '../../shared/clock.js'
import { shortPath, useSessionPlace } from '../../session/session-context.js'
import { CopyButton } from '../../shared/copy-button.js'
import { bytes } from '../../shared/sizes.js'
import { duration } from '../../shared/times.js'
import { strings } from '../../strings.js'
import { shown } from '../../shared/path-text.js'
import { TerminalScreen } from './terminal-screen.js'
import { TerminalSearch } from './terminal-search.js'
import type { AgentCommand } from './use-agent-commands.js'

const words = strings.panels

export function AgentCommandView({ command }: { command: AgentCommand }) {
  const { root } = useSessionPlace()
  const { terminal } = command
  const output = useAgentOutput(terminal)
  const isCut = terminal.truncated === true || output.dropped > 0
  return (
    <div id="terminal" className="terminal" role="tabpanel" aria-label={shown(command.line)}>
      <div className="terminal-about">
        <span className="terminal-cwd" dir="ltr" title={shown(command.line)}>
          {words.typed(shown(command.line))}
        </span>
        <CopyButton text={output.text} className="panel-action" />
        <Download text={output.text} />
      </div>
      <p className="panel-note terminal-note">
        <State command={command} />
        {terminal.cwd !== root && <span dir="ltr">{shown(shortPath(terminal.cwd, root))}</span>}
        {isCut && <span>{words.lastPart(bytes(new Blob([output.text]).size))}</span>}
      </p>
      <Screen output={output} label={shown(command.line)} />
    </div>
  )
}

function State({ command }: { command: AgentCommand }) {
  const { terminal, at, endedAt } = command
  const elapsed = useElapsed(at)
  const { isRunning, exitCode = null, signal = null } = terminal
  const ended = words.exited(exitCode, signal && inPlainSight(signal))
  const time = duration(isRunning ? Math.floor(elapsed / 1_000) * 1_000 : endedAt - at)
  return <span>{isRunning ? words.runningFor(time) : words.endedAfter(ended, time)}</span>
}

function Download({ text }: { text: string }) {
  const [address, setAddress] = useState<string>()

  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address])

  return (
    <a
      className="panel-action"
      download={words.outputFile}
      href={address ?? '#'}
      onClick={({ currentTarget }) => {
        const made = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
        currentTarget.href = made
        setAddress(made)
      }}
    >
      {words.download}
    </a>
  )
}

type ScreenProps = { readonly output: AgentOutput; readonly label: string }

/** Draws what is new; all of it again when its beginning is another. */
function Screen({ output, label }: ScreenProps) {
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<AgentOutput>({ text: '', dropped: 0 })
  const [screen, setScreen] = useState<TerminalScreen>()

  useEffect(() => {
    if (!place.current) return undefined
    const made = new TerminalScreen(place.current, {
      onType: () => {},
      onResize: () => {},
      onLongPaste: () => {},
      onLink: () => {},
      isReadOnly: true,
    })
    drawn.current = { text: '', dropped: 0 }
    setScreen(made)
    return () => made.dispose()
  }, [])

  useEffect(() => {
    if (!screen) return
    const before = drawn.current
    drawn.current = output
    const rest = restOf(output, before)
    if (rest === undefined) screen.clear()
    void screen.write(rest ?? output.text)
  }, [screen, output])

  return (
    <div className="terminal-screen">
      <div ref={place} className="terminal-place" role="group" aria-label={label} />
      {screen && <TerminalSearch screen={screen} />}
    </div>
  )
}

/** What follows what was drawn; undefined when it does not. */
function restOf({ text, dropped }: AgentOutput, drawn: AgentOutput): string | undefined {
  const kept = drawn.text.slice(Math.max(0, dropped - drawn.dropped))
  const goesOn = dropped >= drawn.dropped && text.startsWith(kept)
  return goesOn ? text.slice(kept.length) : undefined
}
