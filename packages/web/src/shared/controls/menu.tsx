// A menu that opens from a button. All menus of the app use it, so that they look and behave alike.
import { DropdownMenu } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './icon.js'
import { composerField, hasKeyboard, isFocusLost, restoreFocus } from '../page-focus.js'

type MenuProps = {
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  /** For a menu that opens in other ways too, such as a long press. */
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
}

export function Menu({ trigger, children, side = 'bottom', align = 'start', ...open }: MenuProps) {
  const { isOpen, onOpenChange } = open
  return (
    <DropdownMenu.Root
      modal={false}
      {...(isOpen !== undefined && { open: isOpen })}
      {...(onOpenChange && { onOpenChange })}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {/* Inside `main`: content outside all landmarks is hard to find with a screen reader. */}
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <DropdownMenu.Content
          className="menu"
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          // The chosen action may have moved the focus, for example to a name field.
          onCloseAutoFocus={(event) => {
            if (!isFocusLost()) event.preventDefault()
            // The button is gone when the choice opened another page.
            else if (hasKeyboard()) restoreFocus(composerField)
          }}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

type MenuItemProps = {
  readonly children: ReactNode
  readonly onSelect: () => void
  readonly icon?: IconName
  /** The key for the same action. */
  readonly keys?: string
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
}

export function MenuItem(props: MenuItemProps) {
  const { children, onSelect, icon, keys, isDangerous = false, isDisabled = false } = props
  return (
    <DropdownMenu.Item
      className={isDangerous ? 'menu-item danger' : 'menu-item'}
      disabled={isDisabled}
      onSelect={() => onSelect()}
    >
      {icon && <Icon name={icon} />}
      {children}
      {keys !== undefined && <kbd className="menu-key">{keys}</kbd>}
    </DropdownMenu.Item>
  )
}

type MenuDownloadProps = { readonly href: string; readonly children: ReactNode }

export function MenuDownload({ href, children }: MenuDownloadProps) {
  return (
    <DropdownMenu.Item className="menu-item" asChild>
      <a href={href} download>
        <Icon name="download" />
        {children}
      </a>
    </DropdownMenu.Item>
  )
}

export function MenuLine() {
  return <DropdownMenu.Separator className="menu-line" />
}

type MenuChoicesProps = {
  /** A heading, for menus with several groups. */
  readonly label?: string
  readonly value: string
  readonly choices: readonly {
    readonly value: string
    readonly name: string
    readonly description?: string | undefined
  }[]
  readonly onChoose: (value: string) => void
}

/** Radio items with a mark at the selected one. */
export function MenuChoices({ label, value, choices, onChoose }: MenuChoicesProps) {
  return (
    <DropdownMenu.RadioGroup aria-label={label} value={value} onValueChange={onChoose}>
      {label !== undefined && (
        <DropdownMenu.Label className="menu-label">{label}</DropdownMenu.Label>
      )}
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} className="menu-item" value={choice.value}>
          <MenuMark />
          <span className="menu-text">
            {choice.name}
            {choice.description && <span className="menu-note">{choice.description}</span>}
          </span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

type MenuSwitchProps = {
  readonly isOn: boolean
  readonly children: ReactNode
  readonly onChange: (isOn: boolean) => void
}

export function MenuSwitch({ isOn, children, onChange }: MenuSwitchProps) {
  return (
    <DropdownMenu.CheckboxItem className="menu-item" checked={isOn} onCheckedChange={onChange}>
      <MenuMark />
      {children}
    </DropdownMenu.CheckboxItem>
  )
}

function MenuMark() {
  return (
    <span className="menu-check">
      <DropdownMenu.ItemIndicator>
        <Icon name="check" size={14} />
      </DropdownMenu.ItemIndicator>
    </span>
  )
}
