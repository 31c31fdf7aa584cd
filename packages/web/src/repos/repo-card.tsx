// One repository as a choice: a card that selects it for the next session.
import type { Repo } from '@quayside/protocol'
import { Icon } from '../shared/controls/icon.js'
import { strings } from '../strings/strings.js'

type RepoCardProps = {
  readonly repo: Repo
  readonly sessionCount: number
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const words = strings.home

export function RepoCard({ repo, sessionCount, isChosen, onChoose }: RepoCardProps) {
  const facts = [repo.hub?.name, repo.branch, sessionCount > 0 && words.sessionCount(sessionCount)]
  return (
    <li>
      <button
        type="button"
        className="repo-card"
        title={repo.path}
        aria-pressed={isChosen}
        onClick={onChoose}
      >
        <Icon name="repo" />
        <span className="repo-text">
          <b className="repo-name">
            <span className="visually-hidden">{words.workIn(repo.name)}</span>
            <span aria-hidden>{repo.name}</span>
          </b>
          <span className="repo-facts">{facts.filter(Boolean).join(' · ')}</span>
        </span>
        {isChosen && <Icon name="check" size={14} />}
      </button>
    </li>
  )
}
