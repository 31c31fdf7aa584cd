// Mode, model and whatever else the agent lets people choose: one menu each, or, on a phone, one for all.
import type { SessionView } from '@quayside/client/react'
import { inPlainSight } from '@quayside/protocol'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../shared/icon.js'
import { strings } from '../../strings.js'
import { chosenName, optionsOf, type AgentOption } from './agent-options.js'

const words = strings.session

type OptionPickersProps = {
  readonly view: SessionView
  /** Runs a command and says when it fails. */
  readonly attempt: (action: Promise<unknown>) => void
}

export function OptionPickers({ view, attempt }: OptionPickersProps) {
  const [pending, setPending] = useState<string>()
  const options = optionsOf(view)
  if (options.length === 0 || view.status !== 'active') return null

  function choose(optionId: string, value: string | boolean) {
    setPending(optionId)
    attempt(view.setOption(optionId, value).finally(() => setPending(undefined)))
  }

  return (
    <>
      <span className="picks">
        {options.map((option) => (
          <Picker
            key={option.id}
            label={inPlainSight(option.name)}
            text={inPlainSight(chosenName(option))}
            isPending={pending === option.id}
            testId={`config-${option.id}`}
          >
            <Choices option={option} onChoose={choose} />
          </Picker>
        ))}
      </span>
      <span className="pick-all">
        <Picker
          label={words.options}
          text={options
            .slice(0, 2)
            .map((option) => inPlainSight(chosenName(option)))
            .join(' · ')}
          isPending={pending !== undefined}
          testId="config-all"
        >
          {options.map((option) => (
            <DropdownMenu.Group key={option.id}>
              <DropdownMenu.Label className="menu-label">
                {inPlainSight(option.name)}
              </DropdownMenu.Label>
              <Choices option={option} onChoose={choose} />
            </DropdownMenu.Group>
          ))}
        </Picker>
      </span>
    </>
  )
}

type PickerProps = {
  readonly label: string
  readonly text: string
  readonly isPending: boolean
  readonly testId: string
  readonly children: ReactNode
}

function Picker({ label, text, isPending, testId, children }: PickerProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="pick"
        data-testid={testId}
        aria-label={`${label}: ${text}`}
        aria-busy={isPending}
        disabled={isPending}
      >
        <span className="pick-text">{text}</span>
        {isPending ? <Icon name="spinner" size={12} /> : <Icon name="chevronDown" size={12} />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

type ChoicesProps = {
  readonly option: AgentOption
  readonly onChoose: (optionId: string, value: string | boolean) => void
}

function Choices({ option: { id, name, value, choices }, onChoose }: ChoicesProps) {
  if (typeof value === 'boolean')
    return (
      <DropdownMenu.CheckboxItem
        className="menu-item"
        checked={value}
        onCheckedChange={(checked) => onChoose(id, checked)}
      >
        <span className="menu-check">{value && <Icon name="check" size={14} />}</span>
        {inPlainSight(name)}
      </DropdownMenu.CheckboxItem>
    )
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(chosen) => onChoose(id, chosen)}>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} className="menu-item" value={choice.value}>
          <span className="menu-check">
            <DropdownMenu.ItemIndicator>
              <Icon name="check" size={14} />
            </DropdownMenu.ItemIndicator>
          </span>
          <span className="menu-text">
            {inPlainSight(choice.name)}
            {choice.description && (
              <span className="menu-note">{inPlainSight(choice.description)}</span>
            )}
          </span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}
