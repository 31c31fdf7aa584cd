// Filters the session list by repository and agent: the menu, and the chosen filters with remove buttons.
import type { SessionsFilter } from '@quayside/client/react'
import type { SessionSummary } from '@quayside/protocol'
import { useLists } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Menu, MenuChoices } from '../shared/controls/menu.js'
import { strings } from '../strings/strings.js'

/** A missing field does not filter. */
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
  /**
   * The agents of these sessions can be chosen, including those whose first session started after the page was loaded.
   */
  readonly sessions: readonly SessionSummary[]
}

export function ScopeMenu({ scope, onChange, sessions }: ScopeMenuProps) {
  const choices = useChoices(scope, sessions)
  const names = useChosen(scope).map(({ name }) => name)
  // With one repository or agent there is nothing to choose.
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

/** The chosen filters, each with a remove button. */
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
            // The button disappears, so the focus moves to the menu.
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

/** All repositories, and the agents that have sessions; most installable agents have none. */
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

/** An agent that was removed is shown by its id. */
function useNameOf(): (part: (typeof PARTS)[number], id: string) => string {
  const { repos, allAgents } = useLists()
  return (part, id) =>
    (part === 'repoId' ? repos : allAgents).find((known) => known.id === id)?.name ?? id
}

function withPart(scope: SessionScope, part: (typeof PARTS)[number], value: string): SessionScope {
  const { [part]: _before, ...others } = scope
  return value === ALL ? others : { ...others, [part]: value }
}
