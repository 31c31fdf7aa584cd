// What a tool call changed, printed or pointed at. Shown in its card and in the decision about it.
import {
  inPlainSight,
  type AgentTerminal,
  type ToolCall,
  type ToolCallContent,
} from '@quayside/protocol'
import { Icon } from '../../shared/icon.js'
import { PathText } from '../../shared/path-text.js'
import { strings } from '../../strings.js'
import { shortPath, useSessionPlace } from '../session-context.js'
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
        // The content of a call only grows or is replaced as a whole, so an entry is its place.
        <Entry key={index} entry={entry} call={call} />
      ))}
      {output !== undefined && <Output text={output} isLive={status === 'in_progress'} />}
      {!hasMore && rawOutput !== undefined && <Output text={printed(rawOutput)} />}
      {!hasMore && rawOutput === undefined && <Locations call={call} />}
    </div>
  )
}

function Entry({ entry, call }: { entry: ToolCallContent; call: ToolCall }) {
  switch (entry.type) {
    case 'diff':
      return <Diff path={entry.path} oldText={entry.oldText ?? ''} newText={entry.newText} />
    case 'content':
      return entry.content.type === 'text' ? (
        <Output text={withoutFence(entry.content.text)} isLive={call.status === 'in_progress'} />
      ) : (
        <Media block={entry.content} alt={words.picture} />
      )
    case 'terminal': {
      const { terminalId } = entry
      const terminal = call.terminals?.find((known) => known.terminalId === terminalId)
      return <Terminal terminal={terminal} />
    }
    default:
      return <Output text={printed(entry)} />
  }
}

function Terminal({ terminal }: { terminal: AgentTerminal | undefined }) {
  const { root } = useSessionPlace()
  if (terminal === undefined) return <p className="output-note">{words.noOutput}</p>
  const { command, args, cwd, isRunning, output, truncated } = terminal
  return (
    <div className="terminal" data-testid="terminal-card">
      <p className="terminal-head">
        <code dir="ltr">
          <span className="prompt-sign">$ </span>
          {inPlainSight([command, ...args].join(' '))}
        </code>
        {cwd !== root && <span className="tool-note">{words.runningIn(shortPath(cwd, root))}</span>}
      </p>
      {truncated && <p className="output-note">{words.outputCut}</p>}
      {output !== undefined && output !== '' ? (
        <Output text={output} />
      ) : (
        <p className="output-note">{isRunning ? words.noOutput : words.printedNothing}</p>
      )}
    </div>
  )
}

function Locations({ call: { locations } }: { call: ToolCall }) {
  const { root } = useSessionPlace()
  return (
    <ul className="locations">
      {locations.map(({ path, line }, place) => (
        <li key={place}>
          <Icon name="file" size={13} />
          <PathText path={shortPath(line ? `${path}:${line}` : path, root)} />
        </li>
      ))}
    </ul>
  )
}

/** Agents put output into a code block although it is nothing else. */
function withoutFence(text: string): string {
  return /^\s*(```+|~~~+)[^\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text)?.[2] ?? text
}

function printed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
