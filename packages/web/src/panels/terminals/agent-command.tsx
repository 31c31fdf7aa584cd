// The output of a command that the agent runs or ran in this session; it grows while the command runs.
import { escapeInvisible, readCut, type CutText } from '@quayside/protocol'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  MAX_CHARACTERS,
  useAgentOutput,
  type AgentOutput,
} from '../../session/context/agent-output.js'
import { useElapsed } from '../../shared/clock.js'
import { shortPath, useSessionContext } from '../../session/context/session-context.js'
import { CopyButton } from '../../shared/controls/copy-button.js'
import { Download, sizeOf } from '../../shared/controls/download.js'
import { bytes } from '../../shared/text/sizes.js'
import { duration } from '../../shared/text/times.js'
import { strings } from '../../strings/strings.js'
import { shown } from '../../shared/controls/path-text.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { TerminalScreen } from './terminal-screen.js'
import { TerminalSearch } from './terminal-search.js'
import type { AgentCommand } from './use-agent-commands.js'

const words = strings.panels

export function AgentCommandView({ command }: { command: AgentCommand }) {
  const { root } = useSessionContext()
  const { terminal } = command
  const cut = useMemo(() => readCut(terminal.output ?? ''), [terminal.output])
  const output = useWholeOutput(useAgentOutput(terminal), cut)
  const isGone = terminal.truncated === true || output.dropped > 0
  const shownBytes = sizeOf({ text: output.text })
  const isPart = cut !== undefined && cut.bytes > shownBytes
  const { downloadAll, downloadKept, outputGone } = strings.session
  const downloadPart = isGone ? downloadKept : downloadAll
  return (
    <div id="terminal" className="terminal" role="tabpanel" aria-label={shown(command.line)}>
      <div className="terminal-about">
        <span className="terminal-cwd" dir="ltr" title={shown(command.line)}>
          {words.typed(shown(command.line))}
        </span>
        <CopyButton text={output.text} className="panel-action" />
        <Download of={cut ?? output} className="panel-action">
          {isPart ? downloadPart(bytes(cut.bytes)) : words.download}
        </Download>
      </div>
      <p className="panel-note terminal-note">
        <State command={command} />
        {terminal.cwd !== root && <span dir="ltr">{shown(shortPath(terminal.cwd, root))}</span>}
        {(isGone || isPart) && <span>{words.lastPart(bytes(shownBytes))}</span>}
        {isGone && <span>{outputGone}</span>}
      </p>
      <Screen output={output} label={shown(command.line)} />
    </div>
  )
}

/** The full output of a command when the log has only its end, up to the limit for running commands. */
function useWholeOutput(output: AgentOutput, cut: CutText | undefined): AgentOutput {
  const read = useCallback(
    async (signal: AbortSignal) => cut && { cut, text: await readEnd(cut, signal) },
    [cut],
  )
  const { value } = useLoaded(read)
  return useMemo(() => {
    if (cut === undefined) return output
    return { text: value?.cut === cut ? value.text : cut.text, dropped: 0 }
  }, [output, cut, value])
}

async function readEnd({ media, bytes: all }: CutText, signal: AbortSignal): Promise<string> {
  const range = `bytes=${Math.max(0, all - MAX_CHARACTERS)}-`
  const response = await fetch(media, { headers: { range }, signal })
  if (!response.ok) throw new Error(response.statusText)
  return response.text()
}

function State({ command }: { command: AgentCommand }) {
  const { terminal, at, endedAt } = command
  const elapsed = useElapsed(at)
  const { isRunning, exitCode = null, signal = null } = terminal
  const ended = words.exited(exitCode, signal && escapeInvisible(signal))
  const time = duration(isRunning ? Math.floor(elapsed / 1_000) * 1_000 : endedAt - at)
  return <span>{isRunning ? words.runningFor(time) : words.endedAfter(ended, time)}</span>
}

type ScreenProps = { readonly output: AgentOutput; readonly label: string }

/** Draws new output only; draws everything again when the beginning changed. */
function Screen({ output, label }: ScreenProps) {
  const container = useRef<HTMLDivElement>(null)
  const drawn = useRef<AgentOutput>({ text: '', dropped: 0 })
  const [screen, setScreen] = useState<TerminalScreen>()

  useEffect(() => {
    if (!container.current) return undefined
    const made = new TerminalScreen(container.current, {
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
      <div ref={container} className="terminal-place" role="group" aria-label={label} />
      {screen && <TerminalSearch screen={screen} />}
    </div>
  )
}

/** The output after the drawn part; undefined when the drawn part is not its beginning. */
function restOf({ text, dropped }: AgentOutput, drawn: AgentOutput): string | undefined {
  const kept = drawn.text.slice(Math.max(0, dropped - drawn.dropped))
  const goesOn = dropped >= drawn.dropped && text.startsWith(kept)
  return goesOn ? text.slice(kept.length) : undefined
}
