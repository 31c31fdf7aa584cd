// The inbox of the home page: sessions that need a person, with their decisions, then new results, running work and the
// latest sessions.
import { useSessions } from '@quayside/client/react'
import type { ListedSession } from '@quayside/protocol'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useLists } from '../hub/hub-context.js'
import { markRead, useUnread } from '../sessions/read-marks.js'
import { marksOf } from '../sessions/session-groups.js'
import { SessionLink } from '../sessions/session-link.js'
import { ALL_SESSIONS, LIVE_SESSIONS, isAtWork, needsYou } from '../sessions/session-queries.js'
import { strings } from '../strings/strings.js'
import { inOwnScript } from '../shared/controls/trouble.js'

const words = strings.inbox
/** Shows texts, diffs and forms of agents, which the rest of the page does not need. */
const WaitingSession = inOwnScript(
  async () => (await import('./waiting-session.js')).WaitingSession,
)
/** Each decision on the page follows its session. */
const DECISIONS_SHOWN = 5
const SESSIONS_SHOWN = 5

export function Inbox() {
  const live = useSessions(LIVE_SESSIONS).sessions
  const all = useSessions(ALL_SESSIONS).sessions.toSorted(latestFirst)
  const isUnread = useUnread()
  const working = live.filter(isAtWork)
  const quiet = all.filter((session) => !needsYou(session) && !isAtWork(session))
  const finished = quiet.filter(isUnread)
  const recent = quiet.filter((session) => !isUnread(session))
  return (
    <>
      <NeedsYou sessions={live.filter(needsYou).toSorted(longestFirst)} />
      <Sessions title={words.finished(finished.length)} sessions={finished}>
        <button type="button" className="quiet-button" onClick={() => finished.forEach(markRead)}>
          {words.markRead}
        </button>
      </Sessions>
      <Sessions title={words.working(working.length)} sessions={working} />
      <Sessions title={words.recent} sessions={recent.slice(0, SESSIONS_SHOWN)} />
    </>
  )
}

function NeedsYou({ sessions }: { sessions: readonly ListedSession[] }) {
  if (sessions.length === 0) return null
  const marks = marksOf(sessions)
  const listKey = sessions.map((session) => `${session.id} ${sinceOf(session)}`).join()
  return (
    <section className="home-section needs-you">
      <h2 className="section-title">{strings.home.needsYou(sessions.length)}</h2>
      <ul className="home-sessions">
        {sessions.slice(0, DECISIONS_SHOWN).map((session) => (
          <WaitingSession
            key={session.id}
            session={session}
            mark={marks.get(session.id)}
            listKey={listKey}
          />
        ))}
        <Links sessions={sessions.slice(DECISIONS_SHOWN)} />
      </ul>
    </section>
  )
}

type SessionsProps = {
  readonly title: string
  readonly sessions: readonly ListedSession[]
  /** Beside the title. */
  readonly children?: ReactNode
}

function Sessions({ title, sessions, children }: SessionsProps) {
  const [isAll, setAll] = useState(false)
  if (sessions.length === 0) return null
  return (
    <section className="home-section">
      <div className="section-head">
        <h2 className="section-title">{title}</h2>
        {children}
      </div>
      <ul className="home-sessions">
        <Links sessions={isAll ? sessions : sessions.slice(0, SESSIONS_SHOWN)} />
      </ul>
      {!isAll && sessions.length > SESSIONS_SHOWN && (
        <button type="button" className="quiet-button" onClick={() => setAll(true)}>
          {strings.frame.more}
        </button>
      )}
    </section>
  )
}

function Links({ sessions }: { sessions: readonly ListedSession[] }) {
  const { repos } = useLists()
  const marks = marksOf(useSessions(ALL_SESSIONS).sessions)
  return sessions.map((session) => (
    <li key={session.id}>
      <SessionLink
        session={session}
        repoName={repos.find(({ id }) => id === session.repoId)?.name}
        mark={marks.get(session.id)}
      />
    </li>
  ))
}

function latestFirst(one: ListedSession, other: ListedSession): number {
  return Date.parse(other.updatedAt) - Date.parse(one.updatedAt)
}

function longestFirst(one: ListedSession, other: ListedSession): number {
  return sinceOf(one) - sinceOf(other)
}

function sinceOf({ step, updatedAt }: ListedSession): number {
  return Date.parse(step && 'since' in step ? step.since : updatedAt)
}
