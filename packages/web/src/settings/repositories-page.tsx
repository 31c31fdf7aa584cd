// The repositories of the hub, their folders, and the button that adds one.
import type { Repo } from '@quayside/protocol'
import { useState } from 'react'
import { AddedRoots } from './added-roots.js'
import { AddRepoDialog } from '../repos/add-repo.js'
import { RescanButton } from '../repos/rescan-button.js'
import { RepoSettingsDialog } from './repo-settings-dialog.js'
import { useHubObjects, useLists, useMay } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Link, repoPath } from '../shared/route.js'
import { Skeleton, Trouble } from '../shared/controls/trouble.js'
import { strings } from '../strings/strings.js'
import { settingsWords } from '../strings/settings-words.js'

const words = settingsWords.repositories

export function RepositoriesPage() {
  const { lists } = useHubObjects()
  const { repos, isLoaded, problem } = useLists()
  const mayAdd = useMay('write')
  const maySetUp = useMay('admin')
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
        {repos.map((repo) => (
          <RepoRow key={repo.id} repo={repo} maySetUp={maySetUp} />
        ))}
      </ul>
      {/* Read again when a repository was added. */}
      {maySetUp && <AddedRoots key={repos.length} />}
      {isAdding && <AddRepoDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function RepoRow({ repo, maySetUp }: { readonly repo: Repo; readonly maySetUp: boolean }) {
  const { id, name, path, branch, hub } = repo
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="list-row">
      <Icon name="repo" />
      <div className="list-row-text">
        <b>
          <Link href={repoPath(id)}>{name}</Link>{' '}
          {branch !== undefined && <span className="muted">{branch}</span>}
        </b>
        <span className="muted mono">
          {hub && `${hub.name}:`}
          {path}
        </span>
      </div>
      {maySetUp && (
        <button
          type="button"
          className="button"
          aria-label={words.settingsOf(name)}
          onClick={() => setOpen(true)}
        >
          {words.settings}
        </button>
      )}
      {isOpen && <RepoSettingsDialog repo={repo} onClose={() => setOpen(false)} />}
    </li>
  )
}
