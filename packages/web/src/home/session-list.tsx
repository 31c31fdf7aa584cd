// Recent sessions, grouped by repository, each with what it is doing in words.
import type { Repo, SessionSummary } from '@quayside/protocol'
import { useLists } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { Link, sessionPath } from '../shared/route.js'
import { sessionState } from '../shared/session-state.js'
import { timeAgo } from '../shared/times.js'

export function SessionList({ current }: { current: string | undefined }) {
  const { sessions, repos, agents, isLoaded } = useLists()
  if (isLoaded && sessions.length === 0)
    return <p className="side-empty">Sessions appear here when you start one.</p>

  return (
    <div className="session-list">
      {groupsOf(sessions, repos).map(({ repoId, repo, members }) => (
        <section key={repoId} className="session-group">
          <h2 className="group-title">
            <Icon name="repo" size={13} />
            <b>{repo?.name ?? 'Repository not found'}</b>
            <span>{repo?.branch}</span>
          </h2>
          <ul>
            {members.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                agentName={agents.find(({ id }) => id === session.extensionId)?.name}
                isCurrent={session.id === current}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type SessionRowProps = {
  readonly session: SessionSummary
  readonly agentName: string | undefined
  readonly isCurrent: boolean
}

function SessionRow({ session, agentName, isCurrent }: SessionRowProps) {
  const { look, words } = sessionState(session.status, session.activity)
  return (
    <li>
      <Link
        className="session-row"
        href={sessionPath(session.id)}
        aria-current={isCurrent ? 'page' : undefined}
        data-look={look}
      >
        <i className={`dot ${look}`} />
        <span className="session-title" dir="auto">
          {session.title ?? 'New session'}
        </span>
        <time className="session-time" dateTime={session.updatedAt}>
          {timeAgo(session.updatedAt)}
        </time>
        <span className="session-status">
          <span className="session-words">{words}</span> · {agentName ?? session.extensionId}
        </span>
      </Link>
    </li>
  )
}

type Group = { repoId: string; repo: Repo | undefined; members: SessionSummary[] }

/** In the order the hub lists them, so that the repository with the newest session comes first. */
function groupsOf(sessions: readonly SessionSummary[], repos: readonly Repo[]): Group[] {
  const groups = new Map<string, Group>()
  for (const session of sessions) {
    const { repoId } = session
    const repo = repos.find(({ id }) => id === repoId)
    const group = groups.get(repoId) ?? { repoId, repo, members: [] }
    group.members.push(session)
    groups.set(repoId, group)
  }
  return [...groups.values()]
}
