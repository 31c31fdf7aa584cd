// The agents of a comparison side by side, until one is taken.
import '../styles/session-page.css'
import '../styles/compare.css'
import { useHub } from '@quayside/client/react'
import type { ComparedSession, Comparison } from '@quayside/protocol'
import { useState } from 'react'
import { useLists, useMay } from '../hub/hub-context.js'
import { ConfirmDialog } from '../shared/controls/dialog.js'
import { Icon } from '../shared/controls/icon.js'
import { showToast } from '../shared/controls/toasts.js'
import { Skeleton } from '../shared/controls/trouble.js'
import { problemOf } from '../shared/problem.js'
import { Link, repoPath } from '../shared/route.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'
import { compareWords as words } from './compare-words.js'
import { ComparedSessionCard } from './compared-session.js'
import { useComparison } from './use-comparison.js'

export function ComparePage({ id }: { readonly id: string }) {
  const { value, problem, set, reload } = useComparison(id)
  useTitle(`${words.title} · ${strings.appName}`)
  if (value) return <Compared comparison={value} onChange={set} onStale={reload} />
  if (problem === undefined) return <Skeleton />
  return (
    <div className="home">
      <div className="home-column narrow">
        <h1 className="display">{words.missing}</h1>
        <p className="lead">{words.missingText}</p>
        <p className="muted">{problem}</p>
        <Link className="button" href="/">
          {strings.frame.allSessions}
        </Link>
      </div>
    </div>
  )
}

type ComparedProps = {
  readonly comparison: Comparison
  readonly onChange: (comparison: Comparison) => void
  readonly onStale: () => void
}

function Compared({ comparison, onChange, onStale }: ComparedProps) {
  const { id: comparisonId, repoId, check, taken, sessions } = comparison
  const { http } = useHub()
  const { agents, repos } = useLists()
  const mayChange = useMay('write')
  const [asked, setAsked] = useState<ComparedSession>()
  const [isTaking, setTaking] = useState(false)
  const repo = repos.find(({ id }) => id === repoId)
  const title = sessions.find((session) => session.title !== null)?.title ?? words.title
  const nameOf = ({ extensionId }: ComparedSession) =>
    agents.find(({ id }) => id === extensionId)?.name ?? extensionId

  async function take({ id: sessionId }: ComparedSession) {
    setTaking(true)
    try {
      const input = { comparisonId, sessionId }
      onChange(await http.call('POST /api/comparisons/{comparisonId}/take', input))
    } catch (error) {
      showToast({ text: problemOf(error) })
      onStale()
    } finally {
      setTaking(false)
    }
  }

  async function run({ id: sessionId }: ComparedSession) {
    try {
      await http.call('POST /api/sessions/{sessionId}/workspace/check', { sessionId })
    } catch (error) {
      showToast({ text: problemOf(error) })
    }
    onStale()
  }

  const canChoose = mayChange && !isTaking
  return (
    <div className="compare">
      <header className="compare-head">
        <Link className="icon-button" href="/" aria-label={strings.frame.allSessions}>
          <Icon name="back" size={18} />
        </Link>
        <div>
          <h1 className="compare-title" dir="auto">
            {title}
          </h1>
          {repo && (
            <p className="muted">
              <Link href={repoPath(repo.id)}>{repo.name}</Link>
              {check !== undefined && (
                <>
                  {' · '}
                  {words.check}: <code>{check}</code>
                </>
              )}
            </p>
          )}
        </div>
      </header>
      <ul className="compare-grid" aria-label={words.title}>
        {sessions.map((session) => {
          const { id, outcome, workspace } = session
          const isIdle = mayChange && outcome !== 'working' && outcome !== 'waiting'
          const canTake = canChoose && taken === undefined && !workspace?.isRemoved
          return (
            <ComparedSessionCard
              key={id}
              session={session}
              agentName={nameOf(session)}
              hasCheck={check !== undefined}
              isTaken={taken === id}
              onTake={canTake ? () => setAsked(session) : undefined}
              onCheck={isIdle && !workspace?.isRemoved ? () => void run(session) : undefined}
            />
          )
        })}
      </ul>
      {asked && (
        <ConfirmDialog
          title={words.takeTitle(nameOf(asked))}
          text={words.takeText(sessions.length - 1)}
          action={words.take}
          isHarmless
          onConfirm={() => void take(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}
