// One session as a link: title, age and state.
import type { ExcerptPart, ListedSession } from '@quayside/protocol'
import type { AnchorHTMLAttributes } from 'react'
import { useMinutes } from '../shared/clock.js'
import { useLists } from '../hub/hub-context.js'
import { useUnread } from './read-marks.js'
import { foundPath, Link } from '../shared/route.js'
import { sessionLine } from './session-state.js'
import { timeAgo } from '../shared/text/times.js'
import { strings } from '../strings/strings.js'

type SessionLinkProps = Pick<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'onKeyDown' | 'onContextMenu'
> & {
  readonly session: ListedSession
  readonly isCurrent?: boolean
  /** Shown in lists with sessions of several repositories. */
  readonly repoName?: string | undefined
  readonly 'data-testid'?: string
}

export function SessionLink(props: SessionLinkProps) {
  const { session, isCurrent = false, repoName, ...link } = props
  const { agents } = useLists()
  const isUnread = useUnread()(session)
  const { look, words } = sessionLine(session, isUnread)
  const agent = agents.find(({ id }) => id === session.extensionId)?.name ?? session.extensionId
  // A waiting session shows only that it waits.
  const about = [repoName, look === 'attention' ? undefined : agent]

  return (
    <Link
      {...link}
      className="session-row"
      href={foundPath(session)}
      aria-current={isCurrent ? 'page' : undefined}
      data-look={look}
    >
      <i className={`dot ${look}`} />
      <span className="session-title" dir="auto">
        {session.title ?? strings.common.newSession}
      </span>
      <Ago at={session.updatedAt} />
      <span className="session-status">
        {about.map((part) => part !== undefined && `${part} · `)}
        <span className="session-words">{words}</span>
      </span>
      {session.excerpt && <Excerpt parts={session.excerpt} />}
    </Link>
  )
}

function Ago({ at }: { at: string }) {
  useMinutes()
  return (
    <time className="session-time" dateTime={at}>
      {timeAgo(at)}
    </time>
  )
}

function Excerpt({ parts }: { parts: readonly ExcerptPart[] }) {
  return (
    <span className="excerpt" dir="auto">
      {parts.map(({ text, match }, index) =>
        match ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
      )}
    </span>
  )
}
