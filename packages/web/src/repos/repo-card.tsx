// One repository, and the button that starts a session in it.
import type { Repo } from '@quayside/protocol'
import { Icon } from '../shared/controls/icon.js'
import { strings } from '../strings/strings.js'

type RepoCardProps = {
  readonly repo: Repo
  readonly sessionCount: number
  readonly isStarting: boolean
  readonly isDisabled: boolean
  readonly onStart: () => void
}

const words = strings.home

export function RepoCard({ repo, sessionCount, isStarting, isDisabled, onStart }: RepoCardProps) {
  const facts = [repo.branch, sessionCount > 0 && words.sessionCount(sessionCount)]
  return (
    <li>
      <button
        type="button"
        className="repo-card"
        title={repo.path}
        disabled={isDisabled}
        onClick={onStart}
      >
        <Icon name={isStarting ? 'spinner' : 'repo'} />
        <span className="repo-text">
          <b className="repo-name">
            <span className="visually-hidden">{words.startIn(repo.name)}</span>
            <span aria-hidden>{repo.name}</span>
          </b>
          <span className="repo-facts">
            {isStarting ? words.starting : facts.filter(Boolean).join(' · ')}
          </span>
        </span>
      </button>
    </li>
  )
}
