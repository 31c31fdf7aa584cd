// One session as a link: title, age and state.
import type { ExcerptPart, ListedSession } from '@quayside/protocol'
import type { AnchorHTMLAttributes } from 'react'
import { useMinutes } from '../shared/clock.js'
import { useLists } from '../hub/hub-context.js'
import { useUnread } from './read-marks.js'
import { foundPath, Link } from '../shared/route.js'
import { sessionLine } from './session-state.js'
import { price } from '../shared/text/price.js'
import { timeAgo } from '../shared/text/times.js'
import { strings } from '../strings/strings.js'
import { Waited } from '../shared/waited.js'

type SessionLinkProps = Pick<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'onKeyDown' | 'onContextMenu'
> & {
  readonly session: ListedSession
  readonly isCurrent?: boolean
  /** Shown in lists with sessions of several repositories. */
  readonly repoName?: string | undefined
  /** Tells it apart from another session with the same title. */
  readonly mark?: string | undefined
  readonly 'data-testid'?: string
}

export function SessionLink(props: SessionLinkProps) {
  const { session, isCurrent = false, repoName, mark, ...link } = props
  const { agents } = useLists()
  const isUnread = useUnread()(session)
  const { look, words } = sessionLine(session, isUnread)
  const agent = agents.find(({ id }) => id === session.extensionId)?.name ?? session.extensionId
  // A session that waits or has failed shows only that: the row has no room for its agent too.
  const isAlone = look === 'attention' || look === 'danger'
  const about = [machineOf(session), repoName, isAlone ? undefined : agent]

  return (
    <Link
      {...link}
      className="session-row"
      href={foundPath(session)}
      aria-current={isCurrent ? 'page' : undefined}
      data-look={look}
    >
      <i className={`dot ${look}`} />
      <span className="session-title">
        <span dir="auto">{session.title ?? strings.common.newSession}</span>
        {mark !== undefined && <span className="session-mark">· {mark}</span>}
      </span>
      <Ago at={session.updatedAt} />
      <span className="session-status">
        {about.map((part) => part !== undefined && `${part} · `)}
        <span className="session-words">
          {words}
          {session.step && 'since' in session.step && (
            <Waited
              since={Date.parse(session.step.since)}
              expiresAt={session.step.expiresAt}
              prefix=" · "
            />
          )}
        </span>
        {!isAlone && session.cost && ` · ${price(session.cost)}`}
      </span>
      {session.excerpt && <Excerpt parts={session.excerpt} />}
    </Link>
  )
}

/** An active session of a machine that is away names the machine in its state. */
function machineOf({ hub, status }: ListedSession): string | undefined {
  if (hub?.state !== 'away') return hub?.name
  return status === 'active' ? undefined : strings.states.awayShort(hub.name)
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
