// For those who would allow the same all day: the hub answers for them, in this session only and in plain sight.
import { DropdownMenu } from 'radix-ui'
import { Icon } from '../../shared/icon.js'
import { strings } from '../../strings.js'
import { ALLOWANCES, type Allowance } from '../session-rules.js'

const words = strings.session

type AllowMoreProps = {
  readonly isDisabled: boolean
  readonly onAllow: (allowance: Allowance) => void
}

export function AllowMore({ isDisabled, onAllow }: AllowMoreProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="allow-more" disabled={isDisabled}>
        {words.allowMore}
        <Icon name="chevronDown" size={12} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
        >
          {ALLOWANCES.map((allowance) => (
            <DropdownMenu.Item
              key={allowance}
              className="menu-item"
              onSelect={() => onAllow(allowance)}
            >
              {words.allowances[allowance]}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
