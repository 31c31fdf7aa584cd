// One repository the hub found, and the button that starts a session in it.
import type { Repo } from '@quayside/protocol'
import { Icon } from '../shared/icon.js'

type RepoCardProps = {
  readonly repo: Repo
  readonly isStarting: boolean
  readonly isDisabled: boolean
  readonly onStart: () => void
}

export function RepoCard({ repo, isStarting, isDisabled, onStart }: RepoCardProps) {
  return (
    <li className="repo-card">
      <Icon name="repo" />
      <div className="repo-text">
        <span className="repo-name">
          <b>{repo.name}</b>
          {repo.branch !== undefined && <span className="branch">{repo.branch}</span>}
        </span>
        <span className="repo-path" title={repo.path}>
          {/* The start of a long path is cut off, not its end; the mark keeps the slash in its place. */}
          <bdi>{repo.path}</bdi>
        </span>
      </div>
      <button
        className="button"
        disabled={isDisabled}
        onClick={onStart}
        aria-label={`Start a session in ${repo.name}`}
      >
        {isStarting ? 'Starting…' : 'Start'}
      </button>
    </li>
  )
}
