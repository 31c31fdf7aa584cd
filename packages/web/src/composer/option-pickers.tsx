// The pickers for mode, model and other options of the agent: one menu each, or one sheet on a phone.
import type { SessionView } from '@quayside/client/react'
import { type AgentOption, agentOptionsOf, chosenName, escapeInvisible } from '@quayside/protocol'
import { useEffect, useState } from 'react'
import type { ButtonHTMLAttributes } from 'react'
import { Dialog } from '../shared/controls/dialog.js'
import { Icon } from '../shared/controls/icon.js'
import { Menu, MenuChoices, MenuSwitch } from '../shared/controls/menu.js'
import type { SchemaFieldShape } from '../shared/controls/schema-field.js'
import { inOwnScript } from '../shared/controls/trouble.js'
import { strings } from '../strings/strings.js'
import { keepOptions } from '../drafts/last-options.js'

const SchemaField = inOwnScript(
  async () => (await import('../shared/controls/schema-field.js')).SchemaField,
)

const words = strings.session

type OptionPickersProps = {
  readonly view: SessionView
  /** Runs a command and shows its error. */
  readonly attempt: (action: Promise<unknown>) => void
}

export function OptionPickers({ view, attempt }: OptionPickersProps) {
  const [pending, setPending] = useState<string>()
  const options = agentOptionsOf(view)
  const agentId = view.info?.extensionId
  const serialized = JSON.stringify(options)

  useEffect(() => {
    if (agentId !== undefined && serialized !== '[]') keepOptions(agentId, JSON.parse(serialized))
  }, [agentId, serialized])

  if (options.length === 0 || view.status !== 'active') return null

  function choose(optionId: string, value: string | boolean) {
    setPending(optionId)
    attempt(view.setConfig(optionId, value).finally(() => setPending(undefined)))
  }

  return <AgentOptions options={options} pending={pending} onChoose={choose} />
}

type AgentOptionsProps = {
  readonly options: readonly AgentOption[]
  /** The option that the agent has not confirmed yet. */
  readonly pending?: string | undefined
  /** True when these are the options of an earlier run, which the agent may no longer offer. */
  readonly isRemembered?: boolean
  readonly onChoose: (optionId: string, value: string | boolean) => void
}

export function AgentOptions(props: AgentOptionsProps) {
  const { options, pending, isRemembered = false, onChoose } = props
  if (options.length === 0) return null
  return (
    <>
      <span className="picks" data-remembered={isRemembered || undefined}>
        {options.map((option) => (
          <Menu
            key={option.id}
            side="top"
            trigger={
              <OptionButton
                label={option.name}
                text={chosenName(option)}
                isPending={pending === option.id}
                data-testid={`config-${option.id}`}
              />
            }
          >
            <Choices option={option} onChoose={onChoose} />
          </Menu>
        ))}
      </span>
      <span className="pick-all" data-remembered={isRemembered || undefined}>
        <AllOptions options={options} pending={pending} onChoose={onChoose} />
      </span>
    </>
  )
}

function AllOptions({ options, pending, onChoose }: AgentOptionsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <OptionButton
        label={words.options}
        text={options.slice(0, 2).map(chosenName).join(' · ')}
        isPending={pending !== undefined}
        data-testid="config-all"
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Dialog title={words.options} onClose={() => setOpen(false)}>
          <div className="form">
            {options.map((option) => (
              <SchemaField
                key={option.id}
                field={fieldOf(option)}
                value={option.value}
                onChange={(value) => {
                  if (typeof value === 'string' || typeof value === 'boolean')
                    onChoose(option.id, value)
                }}
              />
            ))}
          </div>
        </Dialog>
      )}
    </>
  )
}

type OptionButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly label: string
  readonly text: string
  readonly isPending: boolean
}

/** The other props come from the menu, for its button. */
function OptionButton({ label, text, isPending, ...button }: OptionButtonProps) {
  return (
    <button
      type="button"
      {...button}
      className="pick"
      aria-label={escapeInvisible(`${label}: ${text}`)}
      aria-busy={isPending}
    >
      <span className="pick-text">{escapeInvisible(text)}</span>
      <Icon name={isPending ? 'spinner' : 'chevronDown'} size={12} />
    </button>
  )
}

type ChoicesProps = Pick<AgentOptionsProps, 'onChoose'> & { readonly option: AgentOption }

function Choices({ option: { id, name, value, choices }, onChoose }: ChoicesProps) {
  if (typeof value === 'boolean')
    return (
      <MenuSwitch isOn={value} onChange={(isOn) => onChoose(id, isOn)}>
        {escapeInvisible(name)}
      </MenuSwitch>
    )
  const shown = choices.map((choice) => ({
    value: choice.value,
    name: escapeInvisible(choice.name),
    description: choice.description && escapeInvisible(choice.description),
  }))
  return <MenuChoices value={value} choices={shown} onChoose={(chosen) => onChoose(id, chosen)} />
}

function fieldOf({ id, name, value, choices }: AgentOption): SchemaFieldShape {
  const label = escapeInvisible(name)
  if (typeof value === 'boolean') return { id, label, type: 'checkbox' }
  const options = choices.map((choice) => ({
    value: choice.value,
    label: escapeInvisible(choice.name),
  }))
  return { id, label, type: 'select', options, required: true }
}
