// What a tool call changed, printed or pointed at. Shown in its card and in the decision about it.
import type { ToolCall, ToolCallContent } from '@quayside/protocol'
import { Diff } from './diff.js'

export function hasToolContent({ content, output, rawOutput, locations }: ToolCall): boolean {
  return (
    content.length > 0 || output !== undefined || rawOutput !== undefined || locations.length > 0
  )
}

export function ToolContent({ call }: { call: ToolCall }) {
  const { content, output, rawOutput, locations } = call
  const hasMore = content.length > 0 || output !== undefined
  return (
    <div className="tool-content">
      {content.map((entry, index) => (
        // The content of a call only grows or is replaced as a whole, so an entry is its place.
        <Entry key={index} entry={entry} />
      ))}
      {output !== undefined && <pre className="output">{output}</pre>}
      {!hasMore && rawOutput !== undefined && <pre className="output">{printed(rawOutput)}</pre>}
      {!hasMore && rawOutput === undefined && (
        <ul className="locations">
          {locations.map(({ path, line }) => (
            <li key={`${path}:${line}`}>{line ? `${path}:${line}` : path}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Entry({ entry }: { entry: ToolCallContent }) {
  switch (entry.type) {
    case 'diff':
      return <Diff path={entry.path} oldText={entry.oldText ?? ''} newText={entry.newText} />
    case 'content':
      return <pre className="output">{printedBlock(entry.content)}</pre>
    case 'terminal':
      return <p className="line">Runs in a terminal.</p>
    default:
      return <pre className="output">{printed(entry)}</pre>
  }
}

type Block = Extract<ToolCallContent, { type: 'content' }>['content']

function printedBlock(block: Block): string {
  if (block.type === 'text') return block.text
  if (block.type === 'resource') return block.resource.text ?? block.resource.uri
  return block.type === 'resource_link' ? block.uri : `(${block.type})`
}

function printed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
