// A tab list: only the selected tab is in the tab order, and the arrow keys move between tabs.
import type { KeyboardEvent } from 'react'

type Tab<Id extends string> = {
  readonly id: Id
  readonly name: string
  /** Shown beside the name unless it is 0. */
  readonly count?: number
}

type TabListProps<Id extends string> = {
  readonly className: string
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly selected: Id | undefined
  /** The id of the element that the tabs control. */
  readonly controls: string
  readonly onSelect: (id: Id) => void
}

export function TabList<Id extends string>(props: TabListProps<Id>) {
  const { className, label, tabs, selected, controls, onSelect } = props

  function move(event: KeyboardEvent<HTMLElement>) {
    const at = tabs.findIndex(({ id }) => id === selected)
    const places = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }
    const index = places[event.key as keyof typeof places]
    const tab = index === undefined ? undefined : tabs[(index + tabs.length) % tabs.length]
    if (tab === undefined) return
    event.preventDefault()
    onSelect(tab.id)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(tab)]?.focus()
  }

  return (
    <div className={className} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, name, count = 0 }) => (
        <button
          key={id}
          className="tab"
          role="tab"
          aria-selected={id === selected}
          aria-controls={controls}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {name}
          {count > 0 && <span className="tab-count">{count}</span>}
        </button>
      ))}
    </div>
  )
}
