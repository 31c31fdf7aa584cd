// The session list: search, filters, and groups by repository.
import { useSessions, type SessionsFilter, type SessionsView } from '@quayside/client/react'
import type { ListedSession } from '@quayside/protocol'
import { useDeferredValue, useRef, useState } from 'react'
import type { HTMLAttributes, ReactNode, RefObject } from 'react'
import { useHubObjects, useLists } from '../hub/hub-context.js'
import { useNewRepos } from '../hub/use-new-repos.js'
import { Icon } from '../shared/controls/icon.js'
import { problemOf } from '../shared/problem.js'
import { Link, repoPath } from '../shared/route.js'
import { Skeleton, Trouble } from '../shared/controls/trouble.js'
import { strings } from '../strings/strings.js'
import { useFirstMarks } from './read-marks.js'
import { groupSessions, inShownOrder, marksOf, type SessionGroup } from './session-groups.js'
import { ALL_SESSIONS, LIVE_SESSIONS, needsYou } from './session-queries.js'
import { SessionRow } from './session-row.js'
import { ChosenScope, ScopeMenu, type SessionScope } from './session-scope.js'

type Filter = 'all' | 'needsYou' | 'running' | 'archived'
const FILTERS = ['all', 'needsYou', 'running', 'archived'] as const
/** The hub's part of each filter. The hub does not filter by activity, so the page does. */
const HUB_FILTERS: Readonly<Record<Filter, SessionsFilter>> = {
  all: ALL_SESSIONS,
  needsYou: LIVE_SESSIONS,
  running: LIVE_SESSIONS,
  archived: { archived: true },
}
const SEARCH_FROM = 2
const words = strings.list

export function SessionList({ current }: { current: string | undefined }) {
  const [filter, setFilter] = useState<Filter>('all')
  const [scope, setScope] = useState<SessionScope>({})
  const { sessions } = useSessions(ALL_SESSIONS)
  useFirstMarks(sessions)
  useNewRepos(sessions)
  const [typed, setTyped] = useState('')
  const sought = useDeferredValue(typed.trim())
  const isSearching = sought.length >= SEARCH_FROM
  const results = useRef<HTMLUListElement>(null)

  return (
    <>
      <div className="list-tools">
        <div className="list-search">
          <SearchField
            value={typed}
            onChange={setTyped}
            onEnter={() => results.current?.querySelector('a')?.click()}
          />
          <ScopeMenu scope={scope} onChange={setScope} sessions={sessions} />
        </div>
        <Filters value={filter} onChange={setFilter} scope={scope} />
        <ChosenScope scope={scope} onChange={setScope} />
      </div>
      {isSearching ? (
        <SearchResults ref={results} sought={sought} scope={scope} current={current} />
      ) : (
        <Groups filter={filter} scope={scope} current={current} />
      )}
    </>
  )
}

type SearchFieldProps = {
  readonly value: string
  readonly onChange: (words: string) => void
  /** Opens the first search result. */
  readonly onEnter: () => void
}

function SearchField({ value, onChange, onEnter }: SearchFieldProps) {
  return (
    <div className="search">
      <Icon name="search" size={14} />
      <input
        type="search"
        className="field"
        aria-label={words.searchLabel}
        placeholder={words.searchLabel}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') onEnter()
          if (event.key !== 'Escape' || value === '') return
          // Handled here, so that the key does not stop an agent as well.
          event.preventDefault()
          onChange('')
        }}
      />
    </div>
  )
}

type FiltersProps = {
  readonly value: Filter
  readonly onChange: (filter: Filter) => void
  readonly scope: SessionScope
}

function Filters({ value, onChange, scope }: FiltersProps) {
  const { sessions } = useSessions({ ...LIVE_SESSIONS, ...scope })
  const counts = {
    all: 0,
    needsYou: sessions.filter(needsYou).length,
    running: sessions.filter(isRunning).length,
    archived: 0,
  }
  return (
    <div className="chips" role="group" aria-label={words.filters}>
      {FILTERS.map((filter) => (
        <button
          key={filter}
          type="button"
          className="chip"
          aria-pressed={filter === value}
          onClick={() => onChange(filter)}
        >
          {words[filter]}
          {counts[filter] > 0 && <b> {counts[filter]}</b>}
        </button>
      ))}
    </div>
  )
}

type GroupsProps = {
  readonly filter: Filter
  readonly scope: SessionScope
  readonly current: string | undefined
}

function Groups({ filter, scope, current }: GroupsProps) {
  const { repos, isLoaded } = useLists()
  const view = useSessions({ ...HUB_FILTERS[filter], ...scope })
  const sessions = view.sessions.filter(shownBy(filter))
  const [held, setHeld] = useState<readonly SessionGroup[]>()
  const latest = groupSessions(sessions, repos)
  const groups = held ? inShownOrder(latest, held) : latest
  const marks = marksOf(sessions)
  const empty = {
    all: Object.keys(scope).length > 0 ? words.emptyScope : words.empty,
    needsYou: words.emptyNeedsYou,
    running: words.emptyRunning,
    archived: words.emptyArchived,
  }

  return (
    <ListBody
      view={view}
      count={sessions.length}
      empty={empty[filter]}
      onPointerEnter={() => setHeld(groups)}
      onPointerLeave={() => setHeld(undefined)}
    >
      {groups.map(({ id, repo, isPinned, members }) => (
        <section key={id} className="session-group">
          <h2 className="group-title">
            <Icon name={isPinned ? 'pin' : 'repo'} size={13} />
            {repo && !isPinned ? (
              <Link href={repoPath(repo.id)}>{repo.name}</Link>
            ) : (
              <b>
                {isPinned ? words.pinned : isLoaded ? words.repoMissing : strings.common.loading}
              </b>
            )}
            <span className="group-branch">{repo?.branch}</span>
          </h2>
          <ul>
            {members.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isCurrent={session.id === current}
                mark={marks.get(session.id)}
                repoName={
                  isPinned ? repos.find((one) => one.id === session.repoId)?.name : undefined
                }
              />
            ))}
          </ul>
        </section>
      ))}
    </ListBody>
  )
}

type SearchProps = {
  readonly ref: RefObject<HTMLUListElement | null>
  readonly sought: string
  readonly scope: SessionScope
  readonly current: string | undefined
}

function SearchResults({ ref, sought, scope, current }: SearchProps) {
  const { repos } = useLists()
  const [isDeep, setDeep] = useState(false)
  const view = useSessions({ q: sought, ...scope, ...(isDeep && { archived: 'any' as const }) })
  const marks = marksOf(view.sessions)

  return (
    <ListBody view={view} count={view.sessions.length} empty={words.noMatch(sought)}>
      <ul ref={ref}>
        {view.sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isCurrent={session.id === current}
            mark={marks.get(session.id)}
            repoName={repos.find(({ id }) => id === session.repoId)?.name}
          />
        ))}
      </ul>
      {!isDeep && (
        <button type="button" className="quiet-button list-more" onClick={() => setDeep(true)}>
          {words.searchArchived}
        </button>
      )}
    </ListBody>
  )
}

type ListBodyProps = Pick<HTMLAttributes<HTMLElement>, 'onPointerEnter' | 'onPointerLeave'> & {
  readonly view: SessionsView
  readonly count: number
  readonly empty: string
  readonly children: ReactNode
}

function ListBody({ view, count, empty, children, ...pointer }: ListBodyProps) {
  const { lists } = useHubObjects()
  if (view.is === 'loading' && count === 0) return <Skeleton rows={4} />

  return (
    <div className="session-list" {...pointer}>
      {view.error && count === 0 && (
        <Trouble
          problem={problemOf(view.error)}
          onRetry={() => {
            void view.reload()
            void lists.refresh()
          }}
        />
      )}
      {view.is === 'ready' && count === 0 && <p className="side-empty">{empty}</p>}
      {children}
      {view.hasMore && (
        <button
          type="button"
          className="quiet-button list-more"
          onClick={() => void view.loadMore()}
        >
          {strings.frame.more}
        </button>
      )}
    </div>
  )
}

function shownBy(filter: Filter): (session: ListedSession) => boolean {
  if (filter === 'needsYou') return needsYou
  return filter === 'running' ? isRunning : () => true
}

function isRunning({ activity }: ListedSession): boolean {
  return activity === 'working' || activity === 'starting'
}
