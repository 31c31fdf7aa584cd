// The page of one repository: the form for a new session, and its sessions.
import { useSessions } from '@quayside/client/react'
import { useLists } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Link } from '../shared/route.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'
import { WithLists } from './home-page.js'
import { NewSession } from './new-session.js'
import { SessionLink } from '../sessions/session-link.js'

const words = strings.home

export function RepoPage({ id }: { id: string }) {
  const { repos } = useLists()
  const repo = repos.find((one) => one.id === id || one.name === id)
  useTitle(`${repo?.name ?? words.repo} · ${strings.appName}`)

  return (
    <WithLists>
      <Link className="icon-button back" href="/" aria-label={strings.frame.allSessions}>
        <Icon name="back" size={18} />
      </Link>
      {repo ? (
        <NewSession title={repo.name} asked={{ repo: repo.id }}>
          {() => <Sessions repoId={repo.id} title={words.sessionsIn(repo.name)} />}
        </NewSession>
      ) : (
        <div className="home">
          <div className="home-column narrow">
            <h1 className="display">{words.repoMissing}</h1>
            <p className="lead">{words.repoMissingText}</p>
            <Link className="button" href="/">
              {strings.frame.allSessions}
            </Link>
          </div>
        </div>
      )}
    </WithLists>
  )
}

function Sessions({ repoId, title }: { repoId: string; title: string }) {
  const { sessions, is, hasMore, loadMore } = useSessions({ repoId })
  return (
    <section className="home-section">
      <h2 className="section-title">{title}</h2>
      {is === 'ready' && sessions.length === 0 && <p className="muted">{strings.list.empty}</p>}
      <ul className="home-sessions">
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionLink session={session} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" className="quiet-button" onClick={() => void loadMore()}>
          {strings.frame.more}
        </button>
      )}
    </section>
  )
}
