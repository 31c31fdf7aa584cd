// A button with the current choice that opens a list, with a search field when the list is long.
import { Popover } from 'radix-ui'
import { useId, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { strings } from '../../strings/strings.js'
import { Icon, type IconName } from './icon.js'

export type Choice = {
  readonly id: string
  readonly name: string
  /** A detail, such as a branch or the state of an agent. */
  readonly note?: string | undefined
}

type PickerProps = {
  readonly label: string
  readonly icon?: IconName
  readonly value: string | undefined
  readonly choices: readonly Choice[]
  readonly onChange: (id: string) => void
  /** Rendered below the list, for example a rescan button. */
  readonly footer?: ReactNode
}

const SEARCH_FROM = 8

export function Picker({ label, icon, value, choices, onChange, footer }: PickerProps) {
  const [isOpen, setOpen] = useState(false)
  const chosen = choices.find(({ id }) => id === value)

  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="picker" aria-label={`${label}: ${chosen?.name ?? ''}`}>
        {icon && <Icon name={icon} size={14} />}
        <span className="picker-name">{chosen?.name ?? label}</span>
        <Icon name="chevronDown" size={14} />
      </Popover.Trigger>
      {/* No portal, so that a screen reader finds the list beside its button. */}
      <Popover.Content
        className="popover"
        aria-label={label}
        align="start"
        sideOffset={6}
        collisionPadding={8}
      >
        <ChoiceList
          label={label}
          value={value}
          choices={choices}
          onChoose={(id) => {
            onChange(id)
            setOpen(false)
          }}
        />
        {footer && <div className="popover-foot">{footer}</div>}
      </Popover.Content>
    </Popover.Root>
  )
}

type ChoiceListProps = Pick<PickerProps, 'label' | 'value' | 'choices'> & {
  readonly onChoose: (id: string) => void
}

function ChoiceList({ label, value, choices, onChoose }: ChoiceListProps) {
  const id = useId()
  const [sought, setSought] = useState('')
  const [pointed, setPointed] = useState(value)
  const found = choices.filter(({ name }) => name.toLowerCase().includes(sought.toLowerCase()))
  const index = Math.max(
    found.findIndex((choice) => choice.id === pointed),
    0,
  )
  const current = found[index]
  const optionId = (choice: Choice) => `${id}-${choice.id}`

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const next = step === undefined ? undefined : found.at((index + step) % found.length)
    if (next) {
      event.preventDefault()
      setPointed(next.id)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && current) {
      event.preventDefault()
      onChoose(current.id)
    }
  }

  return (
    <div onKeyDown={onKeyDown}>
      <input
        className={choices.length < SEARCH_FROM ? 'visually-hidden' : 'field popover-search'}
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={current && optionId(current)}
        placeholder={strings.common.search}
        value={sought}
        onChange={(event) => setSought(event.target.value)}
      />
      <ul id={`${id}-list`} className="choices" role="listbox" aria-label={label}>
        {found.map((choice) => (
          <li
            key={choice.id}
            id={optionId(choice)}
            className="choice"
            role="option"
            aria-selected={choice.id === value}
            data-pointed={choice === current || undefined}
            onClick={() => onChoose(choice.id)}
            onPointerMove={() => setPointed(choice.id)}
          >
            <span className="choice-name">{choice.name}</span>
            <span className="choice-note">{choice.note}</span>
            {choice.id === value && <Icon name="check" size={14} />}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="popover-empty">{strings.home.noChoice}</p>}
    </div>
  )
}
