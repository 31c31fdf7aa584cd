// The inside of a block of Markdown: emphasis, code, links. Anything else is shown as it was written.
import { asPlainText } from '@quayside/protocol'
import type { Token, Tokens } from 'marked'
import { strings } from '../../strings.js'
import { hostOf, isOwnPicture, linkable } from './address.js'

const words = strings.session

export function Inline({ tokens = [] }: { tokens?: readonly Token[] | undefined }) {
  return tokens.map((token, place) => <InlineToken key={place} token={token} />)
}

/** Text in which nothing can hide: what turns or overwrites it is shown as its code. */
export function PlainText({ text }: { text: string }) {
  return asPlainText(text)
}

function InlineToken({ token }: { token: Token }) {
  switch (token.type) {
    case 'text':
      return token.tokens ? <Inline tokens={token.tokens} /> : <PlainText text={decoded(token)} />
    case 'escape':
      return <PlainText text={(token as Tokens.Escape).text} />
    case 'strong':
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      )
    case 'del':
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      )
    case 'codespan':
      return (
        <code>
          <PlainText text={(token as Tokens.Codespan).text} />
        </code>
      )
    case 'br':
      return <br />
    case 'link':
      return <Link link={token as Tokens.Link} />
    case 'image':
      return <Picture image={token as Tokens.Image} />
    case 'paragraph':
      return <Inline tokens={token.tokens} />
    default:
      return <PlainText text={token.raw} />
  }
}

/** The lexer leaves character references to whoever makes HTML; here text is text. */
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

/** Says where it leads, unless its text already does. */
function Link({ link: { href, tokens, text, raw } }: { link: Tokens.Link }) {
  const url = linkable(href)
  if (url === undefined) {
    // A path in the repository is named; anything else is shown as it was written.
    const isPath = /^[\w@./-]+(?:#L?\d+)?$/.test(href) && !href.startsWith('//')
    return isPath ? <Inline tokens={tokens} /> : <PlainText text={raw} />
  }
  const host = hostOf(url)
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
      <Inline tokens={tokens} />
      {!text.includes(host) && <span className="link-host"> ({host})</span>}
    </a>
  )
}

/** A picture from elsewhere would tell its owner who reads, so it is a link. */
function Picture({ image: { href, text, raw } }: { image: Tokens.Image }) {
  if (isOwnPicture(href)) return <img className="shown" alt={asPlainText(text)} src={href} />
  const url = linkable(href)
  if (url === undefined) return <PlainText text={raw} />
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
      {words.pictureAt(asPlainText(text))} <span className="link-host">{url.href}</span>
    </a>
  )
}
