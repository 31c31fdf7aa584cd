// The choice of the work tree for a new session: the shared one, or one of its own with the branch that it begins from.
import { escapeInvisible } from '@quayside/protocol'
import { useLists } from '../hub/hub-context.js'
import { Picker } from '../shared/controls/picker.js'
import { strings } from '../strings/strings.js'
import type { NewSessionChoice } from './use-new-session.js'

const words = strings.workspace

/** The base that stands for the repository's files as they are now. */
const AS_IT_IS = '.'
const SHARED = 'shared'
const OTHER = 'other'
/** The prefix keeps a branch apart from the other choices. */
const FROM = 'from:'

type WorkTreePickerProps = {
  readonly choice: NewSessionChoice
  readonly onNameBranch: () => void
}

export function WorkTreePicker({ choice, onNameBranch }: WorkTreePickerProps) {
  const { repos } = useLists()
  const { repoId, place, choosePlace, compared } = choice
  const repo = repos.find(({ id }) => id === repoId)
  if (!repo) return null
  const { base = '' } = place
  // Agents that are compared cannot share one.
  const isCompared = compared.length > 0
  const workspace = isCompared ? 'worktree' : place.workspace
  const isNamed = workspace === 'worktree' && base !== '' && base !== AS_IT_IS

  function choose(id: string) {
    const wanted = id.slice(FROM.length)
    if (id === OTHER) onNameBranch()
    else if (id === SHARED) choosePlace({ workspace: SHARED })
    else choosePlace({ workspace: 'worktree', ...(wanted !== '' && { base: wanted }) })
  }

  return (
    <Picker
      label={words.workTree}
      icon="branch"
      value={workspace === 'worktree' ? FROM + base : SHARED}
      choices={[
        ...(isCompared ? [] : [{ id: SHARED, name: words.shared }]),
        { id: FROM, name: words.own(repo.branch ?? words.currentCommit) },
        ...(isNamed ? [{ id: FROM + base, name: words.own(escapeInvisible(base)) }] : []),
        { id: FROM + AS_IT_IS, name: words.ownAsItIs },
        { id: OTHER, name: words.ownOther },
      ]}
      onChange={choose}
    />
  )
}
