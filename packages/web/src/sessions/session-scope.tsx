// Narrows the list of sessions to a repository and an agent: a menu to choose them, and what is chosen with a way back.
import type { SessionsFilter } from '@quayside/client/react'
import type { SessionSummary } from '@quayside/protocol'
import { useLists } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Menu, MenuChoices } from '../shared/controls/menu.js'
import { strings } from '../strings/strings.js'

/** What is left out is not narrowed. */
export type SessionScope = Pick<SessionsFilter, 'repoId' | 'extensionId'>

type ScopeProps = {
  readonly scope: SessionScope
  readonly onChange: (scope: SessionScope) => void
}

type Choices = readonly { readonly value: string; readonly name: string }[]

const words = strings.list
const PARTS = ['repoId', 'extensionId'] as const
const ALL = ''

type ScopeMenuProps = ScopeProps & {
  /** Their agents can be chosen, also one that had no session when the page was loaded. */
  readonly sessions: readonly SessionSummary[]
}

export function ScopeMenu({ scope, onChange, sessions }: ScopeMenuProps) {
  const choices = useChoices(scope, sessions)
  const names = useChosen(scope).map(({ name }) => name)
  // One repository or agent is all of them.
  const parts = PARTS.filter((part) => choices[part].length > 1)
  if (parts.length === 0) return null
  const label = [words.scope, names.join(', ')].filter(Boolean).join(': ')
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          className="icon-button small scope-button"
          aria-label={label}
          title={label}
          data-on={names.length > 0 || undefined}
        >
          <Icon name="filter" size={14} />
        </button>
      }
    >
      {parts.map((part) => (
        <MenuChoices
          key={part}
          label={words.scopes[part]}
          value={scope[part] ?? ALL}
          choices={[{ value: ALL, name: words.everything[part] }, ...choices[part]]}
          onChoose={(value) => onChange(withPart(scope, part, value))}
        />
      ))}
    </Menu>
  )
}

/** What the list is narrowed to, each to be given up again. */
export function ChosenScope({ scope, onChange }: ScopeProps) {
  const chosen = useChosen(scope)
  if (chosen.length === 0) return null
  return (
    <div className="chosen-scope">
      {chosen.map(({ part, name }) => (
        <button
          key={part}
          type="button"
          className="scope-chip"
          aria-label={words.unscope(name)}
          title={words.unscope(name)}
          onClick={({ currentTarget }) => {
            // It goes, and whoever is at it with the keyboard stays here.
            const tools = currentTarget.closest('.list-tools')
            tools?.querySelector<HTMLElement>('.scope-button')?.focus()
            onChange(withPart(scope, part, ALL))
          }}
        >
          <span>{name}</span>
          <Icon name="cross" size={12} />
        </button>
      ))}
    </div>
  )
}

/** Repositories, and the agents that have sessions: of all that could be installed, most never had one. */
function useChoices(
  { extensionId }: SessionScope,
  sessions: readonly SessionSummary[],
): Record<(typeof PARTS)[number], Choices> {
  const { repos, extensionIds } = useLists()
  const nameOf = useNameOf()
  const seen = sessions.map((session) => session.extensionId)
  const chosen = extensionId === undefined ? [] : [extensionId]
  const agents = [...new Set([...extensionIds, ...seen, ...chosen])]
  return {
    repoId: repos.map(({ id, name }) => ({ value: id, name })),
    extensionId: agents
      .map((id) => ({ value: id, name: nameOf('extensionId', id) }))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
  }
}

function useChosen(scope: SessionScope) {
  const nameOf = useNameOf()
  return PARTS.flatMap((part) => {
    const id = scope[part]
    return id === undefined ? [] : [{ part, name: nameOf(part, id) }]
  })
}

/** An agent that was removed has only its id. */
function useNameOf(): (part: (typeof PARTS)[number], id: string) => string {
  const { repos, allAgents } = useLists()
  return (part, id) =>
    (part === 'repoId' ? repos : allAgents).find((known) => known.id === id)?.name ?? id
}

function withPart(scope: SessionScope, part: (typeof PARTS)[number], value: string): SessionScope {
  const { [part]: _before, ...others } = scope
  return value === ALL ? others : { ...others, [part]: value }
}
