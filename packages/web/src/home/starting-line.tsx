// The line that is shown while an agent starts. A session in a work tree of its own also shows how many files are written.
import { Icon } from '../shared/controls/icon.js'
import { inOwnScript } from '../shared/controls/trouble.js'
import { strings } from '../strings/strings.js'

const words = strings.home

const WorktreeProgress = inOwnScript(
  async () => (await import('./worktree-progress.js')).WorktreeProgress,
  ({ children }) => children,
)

type StartingLineProps = {
  readonly agentName: string | undefined
  readonly isSlow: boolean
  /** The repository, when a work tree of its own is made before the agent starts. */
  readonly ownTreeIn?: string | undefined
}

export function StartingLine({ agentName, isSlow, ownTreeIn }: StartingLineProps) {
  if (agentName === undefined) return null
  const first = ownTreeIn === undefined ? words.starting : strings.workspace.making
  const text = <span role="status">{isSlow ? words.slowStart(agentName) : first}</span>
  return (
    <div className="waiting">
      <Icon name="spinner" size={14} />
      {ownTreeIn === undefined ? (
        text
      ) : (
        <WorktreeProgress repoId={ownTreeIn}>{text}</WorktreeProgress>
      )}
    </div>
  )
}
