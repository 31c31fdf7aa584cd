// The home page's note when the hub found no repository.
import { CopyButton } from '../shared/controls/copy-button.js'
import { useCliCommand } from '../hub/cli-command.js'
import { strings } from '../strings/strings.js'
import { AddRepoForm } from './add-repo.js'
import { RescanButton } from './rescan-button.js'

const words = strings.home

export function NoRepos() {
  const command = `${useCliCommand()} start --root ~/src`
  return (
    <div className="home">
      <div className="home-column narrow">
        <h1 className="display">{words.noReposTitle}</h1>
        <p className="lead">{words.noReposText}</p>
        <AddRepoForm>
          <RescanButton className="button" />
        </AddRepoForm>
        <p className="muted">{words.noReposRoot}</p>
        <div className="command-row">
          <pre className="command">{command}</pre>
          <CopyButton text={command} />
        </div>
      </div>
    </div>
  )
}
