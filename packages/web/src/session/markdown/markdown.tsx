// Renders an agent's Markdown as React elements. No HTML is produced on the way.
import { asPlainText, escapeInvisible } from '@quayside/protocol'
import { memo, useState } from 'react'
import type { Token, Tokens } from 'marked'
import { Icon } from '../../shared/controls/icon.js'
import { usePreferences } from '../../shared/preferences.js'
import { strings } from '../../strings/strings.js'
import type { AlertToken, DetailsToken, FootnoteToken, FormulaToken } from './answer-syntax.js'
import { BlockReader } from './blocks.js'
import { CodeBlock } from './code-block.js'
import { Formula } from './formula.js'
import { Inline, PlainText } from './inline.js'

const words = strings.session
const ALERT_ICONS = {
  note: 'question',
  tip: 'bolt',
  important: 'bell',
  warning: 'alert',
  caution: 'stop',
} as const

type MarkdownProps = { readonly text: string; readonly isStreaming?: boolean }

/** The source itself, when the person prefers it. */
export function Markdown(props: MarkdownProps) {
  const { renderMarkdown } = usePreferences()
  if (renderMarkdown) return <Rendered {...props} />
  return (
    <p className="written" dir="auto">
      {escapeInvisible(props.text)}
    </p>
  )
}

function Rendered({ text, isStreaming = false }: MarkdownProps) {
  const [reader] = useState(() => new BlockReader())
  const tokens = reader.read(text, isStreaming)
  return (
    <div className="markdown">
      {tokens.map((token, index) => (
        // Blocks are only appended, so the index is a stable key.
        <Block key={index} token={token} isOpen={isStreaming && index === tokens.length - 1} />
      ))}
    </div>
  )
}

type BlockProps = { readonly token: Token; readonly isOpen?: boolean }

/** Rendered again only when its source changes, so that selections and buttons survive streaming. */
const Block = memo(
  DrawnBlock,
  (a, b) => a.token.type === b.token.type && a.token.raw === b.token.raw && a.isOpen === b.isOpen,
)

function DrawnBlock({ token, isOpen = false }: BlockProps) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return <Heading token={token as Tokens.Heading} />
    case 'paragraph':
      return (
        <p dir="auto">
          <Inline tokens={token.tokens} />
        </p>
      )
    case 'code': {
      const { text, lang } = token as Tokens.Code
      return <CodeBlock text={text} language={lang} isDone={!isOpen} />
    }
    case 'blockquote':
      return (
        <blockquote dir="auto">
          <Nested tokens={token.tokens} />
        </blockquote>
      )
    case 'alert':
      return <Alert token={token as AlertToken} />
    case 'details':
      return <Details token={token as DetailsToken} />
    case 'footnote':
      return <Footnote token={token as FootnoteToken} />
    case 'formula':
      return <Formula {...(token as FormulaToken)} />
    case 'list':
      return <List list={token as Tokens.List} />
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'hr':
      return <hr />
    case 'text':
      return token.tokens ? <Inline tokens={token.tokens} /> : <PlainText text={token.raw} />
    // HTML and unknown tokens are shown as source.
    default:
      return (
        <p dir="auto" className="as-written">
          <PlainText text={token.raw.trimEnd()} />
        </p>
      )
  }
}

function Nested({ tokens = [] }: { tokens?: readonly Token[] | undefined }) {
  return tokens.map((token, index) => <Block key={index} token={token} />)
}

function Alert({ token: { kind, tokens } }: { token: AlertToken }) {
  return (
    <div className="alert" data-kind={kind} role="note" dir="auto">
      <p className="alert-title">
        <Icon name={ALERT_ICONS[kind]} size={16} />
        {words.alerts[kind]}
      </p>
      <Nested tokens={tokens} />
    </div>
  )
}

function Details({ token: { isOpen, summary, tokens } }: { token: DetailsToken }) {
  return (
    <details className="details" open={isOpen}>
      <summary dir="auto">
        {summary.length > 0 ? <Inline tokens={summary} /> : words.detailsTitle}
      </summary>
      <Nested tokens={tokens} />
    </details>
  )
}

function Footnote({ token: { label, tokens } }: { token: FootnoteToken }) {
  return (
    <p className="footnote" data-footnote={label} tabIndex={-1} dir="auto">
      <sup>{asPlainText(label)}</sup> <Inline tokens={tokens} />
    </p>
  )
}

/** Headings in answers start below the page's own levels. */
function Heading({ token: { depth, tokens } }: { token: Tokens.Heading }) {
  const Tag = depth === 1 ? 'h3' : depth === 2 ? 'h4' : 'h5'
  return (
    <Tag dir="auto">
      <Inline tokens={tokens} />
    </Tag>
  )
}

function List({ list: { ordered, start, items } }: { list: Tokens.List }) {
  const entries = items.map((item, index) => (
    <li key={index} dir="auto" data-task={item.task || undefined}>
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked ?? false}
          disabled
          aria-label={strings.session.task}
        />
      )}
      <Nested tokens={item.tokens.filter(({ type }) => type !== 'checkbox')} />
    </li>
  ))
  return ordered ? <ol start={start === '' ? 1 : start}>{entries}</ol> : <ul>{entries}</ul>
}

function Table({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    <div className="table-frame" tabIndex={0} role="group" aria-label={strings.session.table}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col" data-align={cell.align ?? undefined} dir="auto">
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, index) => (
                <td key={index} data-align={cell.align ?? undefined} dir="auto">
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
