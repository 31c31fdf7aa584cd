// A code block with its language and a copy button. It is highlighted when it is complete.
import { asPlainText } from '@quayside/protocol'
import { useEffect, useState } from 'react'
import { CopyIcon } from '../../shared/controls/copy-button.js'
import { usePreferences } from '../../shared/preferences.js'
import { strings } from '../../strings/strings.js'
import type { CodeNode } from '../../code/highlight.js'
import { Diagram } from './diagram.js'

const words = strings.session

const MAX_HIGHLIGHTED_CHARS = 100_000
const BOXES = /(?:[^\n]*\n){40}|[^]+$/g

type CodeBlockProps = {
  readonly text: string
  readonly language: string | undefined
  readonly isDone: boolean
}

export function CodeBlock({ text, language, isDone }: CodeBlockProps) {
  const shown = asPlainText(text)
  const name = /^[\w+#.-]{1,24}/.exec(language ?? '')?.[0]
  const nodes = useHighlighted(isDone ? shown : '', name)
  const source = (
    // Focusable, so that wide lines can be scrolled with the keyboard.
    <pre tabIndex={0} aria-label={words.code}>
      <code dir="ltr">{nodes ? <Nodes nodes={nodes} /> : <Lines text={shown} />}</code>
    </pre>
  )
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{name ?? words.code}</span>
        <CopyIcon text={text} label={words.copyCode} />
      </div>
      {name === 'mermaid' && isDone ? <Diagram text={text}>{source}</Diagram> : source}
    </div>
  )
}

/** Groups of lines, so that the browser lays out only the last group while code streams in. */
function Lines({ text }: { text: string }) {
  return (text.match(BOXES) ?? []).map((lines, index) => (
    <span key={index} className="code-lines">
      {lines}
    </span>
  ))
}

function Nodes({ nodes }: { nodes: readonly CodeNode[] }) {
  return nodes.map((node, index) =>
    typeof node === 'string' ? (
      node
    ) : (
      <span key={index} className={`hl-${node.scope}`}>
        <Nodes nodes={node.children} />
      </span>
    ),
  )
}

function useHighlighted(text: string, language: string | undefined) {
  const [result, setResult] = useState<{ of: string; nodes: readonly CodeNode[] | undefined }>()
  const { syntaxHighlighting } = usePreferences()
  const isShort = text !== '' && text.length <= MAX_HIGHLIGHTED_CHARS
  const isWanted = syntaxHighlighting && isShort && language !== undefined

  useEffect(() => {
    if (!isWanted || language === undefined) return undefined
    let isCurrent = true
    // When the highlighter fails to load, the plain code stays.
    import('../../code/highlight.js').then(
      ({ highlightBlock }) =>
        isCurrent && setResult({ of: text, nodes: highlightBlock(text, language) }),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [isWanted, text, language])

  return result?.of === text ? result.nodes : undefined
}
