// The repositories as cards, of which one is chosen, and the button that adds another one.
import { useSessions } from '@quayside/client/react'
import { useState } from 'react'
import { useLists } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { strings } from '../strings/strings.js'
import { RepoCard } from './repo-card.js'

type RepoCardsProps = {
  readonly title: string
  /** The id of the chosen repository. */
  readonly chosen: string | undefined
  readonly onChoose: (repoId: string) => void
  readonly onAdd: () => void
}

const REPOS_SHOWN = 9

export function RepoCards({ title, chosen, onChoose, onAdd }: RepoCardsProps) {
  const { repos } = useLists()
  const { sessions } = useSessions()
  const [isAll, setAll] = useState(false)
  return (
    <section className="home-section">
      <div className="section-head">
        <h2 className="section-title">{title}</h2>
        <button type="button" className="quiet-button" onClick={onAdd}>
          <Icon name="plus" size={14} />
          {strings.addRepo.add}
        </button>
      </div>
      <ul className="repo-cards">
        {repos.slice(0, isAll ? undefined : REPOS_SHOWN).map((repo) => (
          <RepoCard
            key={repo.id}
            repo={repo}
            sessionCount={sessions.filter(({ repoId }) => repoId === repo.id).length}
            isChosen={repo.id === chosen}
            onChoose={() => onChoose(repo.id)}
          />
        ))}
      </ul>
      {!isAll && repos.length > REPOS_SHOWN && (
        <button type="button" className="quiet-button" onClick={() => setAll(true)}>
          {strings.frame.more}
        </button>
      )}
    </section>
  )
}
