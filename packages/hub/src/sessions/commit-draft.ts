// Drafts commit messages from the conversation of a session: its title, and the prompts that led to the changes.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitDrafts, Timeline } from '@quayside/protocol'
import { unlessFailed } from '../repos/git/git.js'
import { findGitFolder } from '../repos/git/git-folder.js'
import { openGitView } from '../repos/git/git-view.js'
import type { Timelines } from './reading/timeline.js'

const MAX_SUBJECT = 72
const MAX_LINE = 100
const MAX_TEXT = 2_000
const MAX_PROMPTS = 50
const PAGE_ITEMS = 100
const MAX_PAGES = 10
/** From the time in a commit to the entry in the log of HEAD. */
const MAX_COMMIT_MS = 2_000
const NO_TITLE = 'Changes of a Quayside session'

export type DraftRequest = {
  readonly sessionId: string
  readonly title: string | null
  readonly workTree: string
}

type Prompt = { readonly text: string; readonly at: number }

export async function draftCommits(
  timelines: Pick<Timelines, 'read'>,
  { sessionId, title, workTree }: DraftRequest,
): Promise<CommitDrafts> {
  const prompts = await readPrompts(timelines, sessionId)
  const committedAt = await lastCommitAt(workTree)
  const later = prompts.filter(({ at }) => at >= committedAt).map(({ text }) => text)
  const all = prompts.map(({ text }) => text)
  const isFirst = later.length === all.length
  return {
    commit: draftMessage(isFirst || later.length === 0 ? title : null, later),
    bringIn: draftMessage(title, all),
  }
}

/** The subject is the title, or the first prompt; the text below has what the subject leaves out. */
export function draftMessage(title: string | null, prompts: readonly string[]): string {
  const lines = prompts.map(firstLine).filter((line) => line !== '')
  const subject = shorten(firstLine(title ?? lines[0] ?? NO_TITLE) || NO_TITLE, MAX_SUBJECT)
  const [only = ''] = prompts
  const text =
    lines.length > 1
      ? lines.map((line) => `- ${shorten(line, MAX_LINE)}`).join('\n')
      : shorten(only.trim(), MAX_TEXT)
  return text === '' || text === subject ? subject : `${subject}\n\n${text}`
}

/** The newest ones that the agent had, oldest first. */
async function readPrompts(timelines: Pick<Timelines, 'read'>, id: string): Promise<Prompt[]> {
  const found = new Map<string, Prompt>()
  let before: number | undefined
  for (let page = 0; page < MAX_PAGES && found.size < MAX_PROMPTS; page += 1) {
    const read: Timeline = await timelines.read(id, PAGE_ITEMS, before)
    for (const item of read.items.toReversed()) {
      const isSent = item.type === 'user' && item.startedSeq !== undefined
      if (isSent && !found.has(item.id)) found.set(item.id, { text: item.text, at: item.at })
    }
    before = read.before
    if (before === undefined) break
  }
  return [...found.values()].toSorted((a, b) => a.at - b.at).slice(-MAX_PROMPTS)
}

/** 0 in a repository without a commit. git has seconds; the log of HEAD, which a commit writes, is more precise. */
async function lastCommitAt(workTree: string): Promise<number> {
  await using view = await openGitView(workTree)
  const line = await unlessFailed(view.line(['log', '-1', '--format=%ct']))
  const seconds = Number(line ?? 0)
  const folder = await findGitFolder(workTree)
  const written = folder && (await stat(join(folder.own, 'logs', 'HEAD')).catch(() => undefined))
  const delay = (written?.mtimeMs ?? 0) - seconds * 1000
  return seconds * 1000 + (delay > 0 && delay < MAX_COMMIT_MS ? delay : 0)
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0]?.trim() ?? ''
}

/** At the end of a word. */
function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1)
  const end = cut.search(/\s\S*$/)
  return `${end > max / 2 ? cut.slice(0, end) : cut}…`
}
