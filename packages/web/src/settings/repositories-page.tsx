// The repositories of the hub, their folders, and the button that adds one.
import { useState } from 'react'
import { AddRepoDialog } from '../repos/add-repo.js'
import { RescanButton } from '../repos/rescan-button.js'
import { useHubObjects, useLists, useMay } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Link, repoPath } from '../shared/route.js'
import { Skeleton, Trouble } from '../shared/controls/trouble.js'
import { strings } from '../strings/strings.js'

const words = strings.repositories

export function RepositoriesPage() {
  const { lists } = useHubObjects()
  const { repos, isLoaded, problem } = useLists()
  const mayAdd = useMay('write')
  const [isAdding, setAdding] = useState(false)

  return (
    <>
      <p className="muted">{words.text}</p>
      {mayAdd && (
        <div className="field-row">
          <button type="button" className="button" onClick={() => setAdding(true)}>
            <Icon name="plus" size={14} />
            {strings.addRepo.title}
          </button>
          <RescanButton className="button" />
        </div>
      )}
      {problem !== undefined && <Trouble problem={problem} onRetry={() => void lists.refresh()} />}
      {!isLoaded && problem === undefined && <Skeleton />}
      {isLoaded && repos.length === 0 && <p className="note">{strings.home.noReposTitle}</p>}
      <ul className="rows">
        {repos.map(({ id, name, path, branch }) => (
          <li key={id} className="list-row">
            <Icon name="repo" />
            <div className="list-row-text">
              <b>
                <Link href={repoPath(id)}>{name}</Link>{' '}
                {branch !== undefined && <span className="muted">{branch}</span>}
              </b>
              <span className="muted mono">{path}</span>
            </div>
          </li>
        ))}
      </ul>
      {isAdding && <AddRepoDialog onClose={() => setAdding(false)} />}
    </>
  )
}
