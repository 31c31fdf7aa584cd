// A transcript as one HTML file: no script, no requests, all text escaped.
import { diffLines } from '../text/diff-lines.js'
// Renamed, because the formatter would add white space to templates called `html`, and white space matters here.
import { type Html, html as markup, type Piece } from '../text/html.js'
import { asPlainText, escapeInvisible } from '../text/escape-invisible.js'
import type { Attachment, EntryOf, FileDiff, TranscriptEntry } from './transcript-entries.js'
import { TRANSCRIPT_STYLE } from './transcript-style.js'
import {
  aboutLine,
  answerOf,
  endingOf,
  failureText,
  outcomeOf,
  titleOf,
  type TranscriptAbout,
} from './transcript-words.js'

/** The policy for the file itself and for its HTTP response. */
export const TRANSCRIPT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** A picture as a data URI; undefined when it cannot be shown. */
export type FindImage = (url: string) => string | undefined

export function htmlHead(about: TranscriptAbout): string {
  const title = escapeInvisible(titleOf(about))
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${TRANSCRIPT_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${TRANSCRIPT_STYLE}</style>
</head>
<body>
<main>
<header><h1 dir="auto">${title}</h1><p>${escapeInvisible(aboutLine(about))}</p></header>
`.text
}

export const HTML_END = '</main>\n</body>\n</html>\n'

export function htmlOf(entry: TranscriptEntry, findImage: FindImage = () => undefined): string {
  const { role, timestamp } = entry
  const time = markup`<time datetime="${timestamp}">${timestamp.slice(0, 19).replace('T', ' ')}</time>`
  return markup`<section class="${role}">${time}${bodyOf(entry, findImage)}</section>\n`.text
}

function bodyOf(entry: TranscriptEntry, findImage: FindImage): Piece {
  switch (entry.role) {
    case 'user': {
      const notes = [entry.by, entry.queued && 'queued'].filter((note) => note !== undefined)
      const name = ['User', ...notes].map(escapeInvisible).join(' · ')
      return [label(name), rich(entry.text), attached(entry.attachments, findImage)]
    }
    case 'assistant':
      return [label('Agent'), rich(entry.text)]
    case 'reasoning':
      return markup`<details open><summary>Thinking</summary>${rich(entry.text)}</details>`
    case 'attachment':
      return attached([entry.attachment], findImage)
    case 'command':
      return command(entry, findImage)
    case 'plan':
      return [label('Plan'), markup`<ul>${entry.entries.map(step)}</ul>`]
    case 'permission':
      return [
        label('Permission'),
        code(entry.title),
        markup`<p>${escapeInvisible(outcomeOf(entry))}</p>`,
      ]
    case 'question':
      return [
        label(`Question, ${escapeInvisible(outcomeOf(entry))}`),
        rich(entry.text),
        output(answerOf(entry)),
      ]
    case 'status':
      return [
        markup`<p>${asPlainText(endingOf(entry))}</p>`,
        output(failureText(endingOf(entry), entry.error?.details)),
      ]
    case 'error':
      return [label('Error'), rich(entry.text), output(failureText(entry.text, entry.details))]
    default:
      return [label('Notice'), rich(entry.text)]
  }
}

function label(name: string): Html {
  return markup`<h2>${name}</h2>`
}

function command(entry: EntryOf<'command'>, findImage: FindImage): Piece {
  const { status, title, diffs = [], locations = [] } = entry
  const isBare = entry.output === '' && diffs.length === 0
  return [
    label(`${entry.kind === 'execute' ? 'Command' : 'Tool'}, ${escapeInvisible(status)}`),
    code(entry.command),
    title === undefined ? undefined : markup`<p dir="auto">${asPlainText(title)}</p>`,
    diffs.map(diff),
    output(entry.output),
    attached(entry.attachments, findImage),
    isBare && locations.map(code),
  ]
}

function code(text: string): Html {
  return markup`<pre class="name">${escapeInvisible(text)}</pre>`
}

function output(text: string): Html | undefined {
  return text === '' ? undefined : markup`<pre class="output">${asPlainText(text)}</pre>`
}

function diff({ path, oldText, newText }: FileDiff): Html {
  const lines = diffLines(oldText, newText).map(({ sign, text }) => {
    const shown = `${sign}${asPlainText(text)}\n`
    if (sign === ' ') return shown
    return sign === '+' ? markup`<ins>${shown}</ins>` : markup`<del>${shown}</del>`
  })
  return markup`<figure><figcaption>${escapeInvisible(path)}</figcaption><pre class="diff">${lines}</pre></figure>`
}

function step({ content, status = 'pending' }: EntryOf<'plan'>['entries'][number]): Html {
  return markup`<li dir="auto">${asPlainText(content)} <small>${escapeInvisible(status)}</small></li>`
}

function attached(attachments: readonly Attachment[] = [], findImage: FindImage): Piece {
  return attachments.map((attachment) => {
    if (attachment.type === 'resource') {
      const { name, uri, text = '' } = attachment
      const label = name === undefined || name === uri ? uri : `${name} (${uri})`
      return [markup`<p>Resource: ${escapeInvisible(label)}</p>`, output(text)]
    }
    const { type, mimeType, url } = attachment
    const source = type === 'image' && url !== undefined ? findImage(url) : undefined
    if (source !== undefined) return markup`<img alt="${mimeType}" src="${source}">`
    return markup`<p>${type === 'image' ? 'Image' : 'Sound'}, not in this file: ${escapeInvisible(mimeType)}</p>`
  })
}

const PARTS =
  /(?<block>^```[^\n]*\n[\s\S]*?(?:^```[^\n]*$|$(?![\s\S])))|(?<code>`[^`\n]+`)|(?<url>https?:\/\/[^\s<>"'`)\]]+)/gm

/** The exact text; blocks of code and addresses are only marked up. */
function rich(text: string): Html {
  const plain = asPlainText(text)
  const pieces: Piece[] = []
  let end = 0
  for (const found of plain.matchAll(PARTS)) {
    const { block, code, url } = found.groups ?? {}
    pieces.push(plain.slice(end, found.index))
    if (block !== undefined) pieces.push(markup`<code class="block">${block}</code>`)
    if (code !== undefined) pieces.push(markup`<code>${code}</code>`)
    if (url !== undefined)
      pieces.push(markup`<a href="${url}" rel="noopener noreferrer nofollow">${url}</a>`)
    end = found.index + found[0].length
  }
  return markup`<div class="text" dir="auto">${pieces}${plain.slice(end)}</div>`
}
