// The content of a tool call: diffs, output and locations. Used by its card and by its decision.
import {
  escapeInvisible,
  readCut,
  type AgentTerminal,
  type ToolCall,
  type ToolCallContent,
} from '@quayside/protocol'
import { showPanel } from '../../shared/panel-location.js'
import { Icon } from '../../shared/controls/icon.js'
import { strings } from '../../strings/strings.js'
import { useAgentOutput } from '../context/agent-output.js'
import { FilePath } from './file-path.js'
import { shortPath, useSessionContext } from '../context/session-context.js'
import { Diff } from './diff.js'
import { Media } from './media.js'
import { Output } from './output.js'

const words = strings.session

export function hasToolContent({ content, output, rawOutput, locations }: ToolCall): boolean {
  return (
    content.length > 0 || output !== undefined || rawOutput !== undefined || locations.length > 0
  )
}

export function ToolContent({ call }: { call: ToolCall }) {
  const { content, output, rawOutput, status } = call
  const hasMore = content.length > 0 || output !== undefined
  return (
    <div className="tool-content">
      {status === 'interrupted' && <p className="output-note">{words.interruptedNote}</p>}
      {content.map((entry, index) => (
        // The content only grows or is replaced as a whole, so the index is a stable key.
        <Entry key={index} entry={entry} call={call} />
      ))}
      {output !== undefined && <Output text={output} isLive={status === 'in_progress'} />}
      {!hasMore && rawOutput !== undefined && <Output text={printed(rawOutput)} />}
      {!hasMore && rawOutput === undefined && <Locations locations={call.locations} />}
    </div>
  )
}

function Entry({ entry, call }: { entry: ToolCallContent; call: ToolCall }) {
  switch (entry.type) {
    case 'diff':
      return <Diff entry={entry} />
    case 'content':
      return entry.content.type === 'text' ? (
        <Output text={withoutFence(entry.content.text)} isLive={call.status === 'in_progress'} />
      ) : (
        <Media block={entry.content} alt={words.picture} />
      )
    case 'terminal': {
      const { terminalId } = entry
      const terminal = call.terminals?.find((known) => known.terminalId === terminalId)
      if (terminal === undefined) return <p className="output-note">{words.noOutput}</p>
      return <Terminal terminal={terminal} />
    }
    default:
      return <Output text={printed(entry)} />
  }
}

function Terminal({ terminal }: { terminal: AgentTerminal }) {
  const { root, sessionId } = useSessionContext()
  const { terminalId, command, args, cwd, isRunning, truncated } = terminal
  const { text, dropped } = useAgentOutput(terminal)
  return (
    <div className="terminal" data-testid="terminal-card">
      <p className="terminal-head">
        <code dir="ltr">
          <span className="prompt-sign">$ </span>
          {escapeInvisible([command, ...args].join(' '))}
        </code>
        {cwd !== root && <span className="tool-note">{words.runningIn(shortPath(cwd, root))}</span>}
        <button
          type="button"
          className="terminal-open"
          onClick={() => showPanel(sessionId, 'terminals', { terminal: terminalId })}
        >
          {words.openTerminal}
        </button>
      </p>
      {text !== '' ? (
        <Output text={text} isLive={isRunning} isGone={truncated === true || dropped > 0} />
      ) : (
        <p className="output-note">{isRunning ? words.noOutput : words.printedNothing}</p>
      )}
    </div>
  )
}

export function Locations({ locations }: Pick<ToolCall, 'locations'>) {
  if (locations.length === 0) return null
  return (
    <ul className="locations">
      {locations.map(({ path, line }, index) => (
        <li key={index}>
          <Icon name="file" size={13} />
          <FilePath path={path} line={line ?? undefined} />
        </li>
      ))}
    </ul>
  )
}

/** Some agents wrap plain output in a code block. */
function withoutFence(text: string): string {
  const cut = readCut(text)
  if (cut?.is === 'end') return text.replace(/\n(?:```+|~~~+)\s*$/, '')
  if (cut) return text.replace(/^\s*(?:```+|~~~+)[^\n]*\n/, '')
  return /^\s*(```+|~~~+)[^\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text)?.[2] ?? text
}

function printed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
