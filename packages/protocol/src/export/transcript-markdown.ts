// A transcript as Markdown. Texts of agents and people stay Markdown, but a viewer loads and runs nothing.
import { diffLines } from '../text/diff-lines.js'
import { asPlainText, escapeInvisible } from '../text/escape-invisible.js'
import type { Attachment, EntryOf, FileDiff, TranscriptEntry } from './transcript-entries.js'
import {
  endingOf,
  outcomeOf,
  type TranscriptAbout,
  aboutLine,
  titleOf,
  answerOf,
  failureText,
} from './transcript-words.js'

export function markdownHead(about: TranscriptAbout): string {
  return `# ${line(titleOf(about))}\n\n${line(aboutLine(about))}\n\n`
}

/** The entry as paragraphs that end with a blank line. */
export function markdownOf(entry: TranscriptEntry): string {
  return `${paragraphs(entry)
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')}\n\n`
}

function paragraphs(entry: TranscriptEntry): readonly string[] {
  switch (entry.role) {
    case 'user': {
      const notes = [entry.by, entry.timestamp, entry.queued && 'queued']
      const about = notes.filter((note) => note !== undefined).map(line)
      const attachments = (entry.attachments ?? []).map(attached)
      return ['## User', `*${about.join(' · ')}*`, harmless(entry.text), ...attachments]
    }
    case 'assistant':
      return ['## Agent', harmless(entry.text)]
    case 'reasoning':
      return [quoted(`*Thinking*\n\n${harmless(entry.text)}`)]
    case 'attachment':
      return [attached(entry.attachment)]
    case 'command':
      return command(entry)
    case 'plan':
      return ['**Plan**', entry.entries.map(step).join('\n')]
    case 'permission':
      return [`**Permission** ${code(entry.title)}: ${line(outcomeOf(entry))}`]
    case 'question':
      return [
        `**Question** ${line(outcomeOf(entry))}`,
        harmless(entry.text),
        fenced(answerOf(entry)),
      ]
    case 'status':
      return [
        `*${line(endingOf(entry))}*`,
        fenced(failureText(endingOf(entry), entry.error?.details)),
      ]
    case 'error':
      return [
        quoted(`**Error**\n\n${harmless(entry.text)}`),
        fenced(failureText(entry.text, entry.details)),
      ]
    default:
      return [quoted(`**Notice**\n\n${harmless(entry.text)}`)]
  }
}

function command(entry: EntryOf<'command'>): readonly string[] {
  const { title, diffs = [], attachments = [], locations = [], output } = entry
  return [
    `**${entry.kind === 'execute' ? 'Command' : 'Tool'}** ${code(entry.command)} (${line(entry.status)})`,
    title === undefined ? '' : line(title),
    ...diffs.map(diff),
    fenced(output),
    ...attachments.map(attached),
    output === '' && diffs.length === 0 ? locations.map(code).join(', ') : '',
  ]
}

function diff({ path, oldText, newText }: FileDiff): string {
  const lines = diffLines(oldText, newText).map(({ sign, text }) => `${sign}${text}`)
  return `${code(path)}\n\n${fenced(lines.join('\n'), 'diff')}`
}

function step({ content, status }: EntryOf<'plan'>['entries'][number]): string {
  const note = status === undefined || status === 'completed' ? '' : ` (${line(status)})`
  return `- [${status === 'completed' ? 'x' : ' '}] ${line(content)}${note}`
}

/** Attachments are named and never embedded: a viewer must not load anything. */
function attached(attachment: Attachment): string {
  if (attachment.type === 'resource') {
    const { name, uri, text } = attachment
    const about = name === undefined || name === uri ? code(uri) : `${line(name)} ${code(uri)}`
    return [`*Resource:* ${about}`, ...(text === undefined ? [] : [fenced(text)])].join('\n\n')
  }
  const { type, mimeType, url } = attachment
  const isInline = url === undefined || url.startsWith('data:')
  return `*${type === 'image' ? 'Image' : 'Sound'}* (${line(mimeType)})${isInline ? '' : `: ${code(url)}`}`
}

const FENCE = /^(?<fence>`{3,}(?=[^`]*$)|~{3,})/

/**
 * Markdown without HTML and images: both are shown as source text. Code stays unchanged only in fences at the left edge,
 * which all Markdown parsers treat alike; other fences are shown as source text too.
 */
function harmless(text: string): string {
  let fence: string | undefined
  const lines = asPlainText(text)
    .split('\n')
    .map((written) => {
      if (fence !== undefined) {
        if (closes(written, fence)) fence = undefined
        return written
      }
      fence = FENCE.exec(written)?.groups?.['fence']
      return fence === undefined ? defused(written) : written
    })
  return [...lines, ...(fence === undefined ? [] : [fence])].join('\n')
}

function closes(written: string, fence: string): boolean {
  const rest = written.replace(/^ {0,3}/, '').trimEnd()
  return rest.length >= fence.length && rest === fence.charAt(0).repeat(rest.length)
}

/** Uses entities: a backslash could be escaped by a backslash before it. */
function defused(prose: string): string {
  return prose
    .replaceAll(/<(?=[A-Za-z/!?])/g, '&lt;')
    .replaceAll(/`{3,}/g, (run) => '&#96;'.repeat(run.length))
    .replaceAll(/~{3,}/g, (run) => '&#126;'.repeat(run.length))
    .replaceAll('![', '!&#91;')
}

/** Plain text for the middle of a line: no markup, no line break. */
function line(text: string): string {
  const words = asPlainText(text).replaceAll(/\s+/g, ' ').trim()
  return words.replaceAll(/[\\`*_[\]<>&|~#!]/g, String.raw`\$&`)
}

function code(text: string): string {
  const shown = escapeInvisible(text).replaceAll(/\s*\n\s*/g, ' ⏎ ')
  const marks = '`'.repeat(longestRun(shown) + 1)
  return shown === '' ? '' : `${marks} ${shown} ${marks}`
}

function fenced(text: string, language = ''): string {
  if (text === '') return ''
  const plain = asPlainText(text)
  const fence = '`'.repeat(Math.max(3, longestRun(plain) + 1))
  return `${fence}${language}\n${plain}${plain.endsWith('\n') ? '' : '\n'}${fence}`
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)
}

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ')
}
