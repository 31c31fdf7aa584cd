// Renders the inline content of a Markdown block: emphasis, code, links. Other tokens are shown as source.
import { asPlainText } from '@quayside/protocol'
import type { Token, Tokens } from 'marked'
import { memo, type ReactNode } from 'react'
import { showPanel } from '../../shared/panel-location.js'
import { strings } from '../../strings/strings.js'
import { useSessionContext } from '../context/session-context.js'
import { hostOf, isOwnPicture, linkable, namesHost } from './address.js'
import type { FootnoteRefToken, FormulaToken } from './answer-syntax.js'
import { Formula } from './formula.js'
import { Zoom } from './zoom.js'
import { readFileReference, type FileReference } from './file-reference.js'

const words = strings.session

type InlineProps = {
  readonly tokens?: readonly Token[] | undefined
  /** True inside a link, where nothing else can be a link. */
  readonly isLink?: boolean
}

export function Inline({ tokens = [], isLink = false }: InlineProps) {
  return tokens.map((token, index) => <InlineToken key={index} token={token} isLink={isLink} />)
}

/**
 * Plain text with control and bidirectional characters shown as codes. Each line is its own node, so that a selection
 * survives while more lines arrive.
 */
export function PlainText({ text }: { text: string }) {
  return asPlainText(text).split(/(?<=\n)/)
}

/** Rendered again only when its token changes. */
const InlineToken = memo(function InlineToken(props: {
  readonly token: Token
  readonly isLink: boolean
}) {
  const { token, isLink } = props
  switch (token.type) {
    case 'text':
      return token.tokens ? (
        <Inline tokens={token.tokens} isLink={isLink} />
      ) : (
        <PlainText text={decoded(token)} />
      )
    case 'piece':
      return (
        <span className="piece">
          <Inline tokens={token.tokens} isLink={isLink} />
        </span>
      )
    case 'escape':
      // The source of a formula that is not complete stays readable.
      return (
        <PlainText text={/[()[\]]/.test(token.raw) ? token.raw : (token as Tokens.Escape).text} />
      )
    case 'strong':
      return (
        <strong>
          <Inline tokens={token.tokens} isLink={isLink} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} isLink={isLink} />
        </em>
      )
    case 'del':
      return (
        <del>
          <Inline tokens={token.tokens} isLink={isLink} />
        </del>
      )
    case 'codespan':
      return (
        <code>
          <Code text={(token as Tokens.Codespan).text} isLink={isLink} />
        </code>
      )
    case 'formula':
      return <Formula {...(token as unknown as FormulaToken)} />
    case 'footnoteRef':
      return <FootnoteRef label={(token as unknown as FootnoteRefToken).label} />
    case 'br':
      return <br />
    case 'link':
      return <Link link={token as Tokens.Link} />
    case 'image':
      return <Picture image={token as Tokens.Image} isLink={isLink} />
    case 'paragraph':
      return <Inline tokens={token.tokens} isLink={isLink} />
    default:
      return <PlainText text={token.raw} />
  }
})

/** Leads to the footnote of the same answer. */
function FootnoteRef({ label }: { label: string }) {
  const shown = asPlainText(label)
  function goTo(from: HTMLElement) {
    const notes = from.closest('.markdown')?.querySelectorAll<HTMLElement>('[data-footnote]') ?? []
    const note = [...notes].find(({ dataset }) => dataset['footnote'] === label)
    note?.scrollIntoView({ block: 'nearest' })
    note?.focus({ preventScroll: true })
  }
  return (
    <sup>
      <button
        type="button"
        className="file-link"
        aria-label={words.footnote(shown)}
        onClick={({ currentTarget }) => goTo(currentTarget)}
      >
        {shown}
      </button>
    </sup>
  )
}

/** A path in inline code links to its file. */
function Code({ text, isLink }: { text: string; isLink: boolean }) {
  const { root } = useSessionContext()
  const file = isLink ? undefined : readFileReference(text, root)
  return file ? <FileLink file={file}>{asPlainText(text)}</FileLink> : <PlainText text={text} />
}

type FileLinkProps = { readonly file: FileReference; readonly children: ReactNode }

function FileLink({ file: { path, line }, children }: FileLinkProps) {
  const { sessionId } = useSessionContext()
  return (
    <button
      type="button"
      className="file-link"
      onClick={() => showPanel(sessionId, 'files', { file: path, line })}
    >
      {children}
    </button>
  )
}

/** The lexer does not decode character references, because it expects to produce HTML. */
function decoded({ raw }: Token): string {
  return raw.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (name) => REFERENCES[name] ?? name)
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00A0',
}

/** A link that shows its host, unless its text does. */
function Link({ link: { href, tokens, text, raw } }: { link: Tokens.Link }) {
  const { root } = useSessionContext()
  const url = linkable(href)
  if (url === undefined) {
    // A path in the repository becomes a file link; anything else is shown as source.
    const file = readFileReference(href, root)
    const inside = <Inline tokens={tokens} isLink={file !== undefined} />
    if (file) return <FileLink file={file}>{inside}</FileLink>
    const isPath = /^[\w@./-]+(?:#L?\d+)?$/.test(href) && !href.startsWith('//')
    return isPath ? inside : <PlainText text={raw} />
  }
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
      <Inline tokens={tokens} isLink />
      {!namesHost(text, url) && <span className="link-host"> ({hostOf(url)})</span>}
    </a>
  )
}

/** An image from another origin would reveal the reader, so it is shown as a link. */
function Picture({ image, isLink }: { image: Tokens.Image; isLink: boolean }) {
  const { href, text, raw } = image
  const alt = asPlainText(text)
  if (isOwnPicture(href))
    return isLink ? (
      <img className="shown" alt={alt} src={href} />
    ) : (
      <Zoom source={href} alt={alt} />
    )
  const url = linkable(href)
  if (url === undefined) return <PlainText text={raw} />
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
      {words.pictureAt(alt)} <span className="link-host">{url.href}</span>
    </a>
  )
}
