// A text of the agent. Of a very long one the hub sends the beginning and the end; a note stands for the middle.
import type { TextItem, ThoughtItem } from '@quayside/protocol'
import { sessionExports } from '../../sessions/session-exports.js'
import { strings } from '../../strings/strings.js'
import { useSessionContext } from '../context/session-context.js'
import { Markdown } from '../markdown/markdown.js'

const words = strings.session

export function LongText({ item }: { item: TextItem | ThoughtItem }) {
  const { sessionId } = useSessionContext()
  const { text, omitted, done } = item
  if (omitted === undefined)
    return <Markdown text={item.type === 'thought' ? text.trim() : text} isStreaming={!done} />
  const [whole] = sessionExports(sessionId)
  return (
    <>
      <Markdown text={text.slice(0, omitted.at)} isStreaming={false} />
      <p className="output-note" data-testid="text-left-out">
        {words.textLeftOut(omitted.chars)}{' '}
        <a href={whole?.href} download>
          {words.downloadTranscript}
        </a>
      </p>
      <Markdown text={text.slice(omitted.at)} isStreaming={!done} />
    </>
  )
}
