// The menu that allows more for the rest of this session: the hub then answers such permissions, and the header says
// so.
import { Icon } from '../../shared/controls/icon.js'
import { Menu, MenuItem } from '../../shared/controls/menu.js'
import { strings } from '../../strings/strings.js'
import { ALLOWANCES, type Allowance } from '../context/session-rules.js'

const words = strings.session

type AllowMoreProps = {
  readonly isDisabled: boolean
  readonly onAllow: (allowance: Allowance) => void
}

export function AllowMore({ isDisabled, onAllow }: AllowMoreProps) {
  return (
    <Menu
      side="top"
      align="end"
      trigger={
        <button type="button" className="allow-more" disabled={isDisabled}>
          {words.allowMore}
          <Icon name="chevronDown" size={12} />
        </button>
      }
    >
      {ALLOWANCES.map((allowance) => (
        <MenuItem key={allowance} onSelect={() => onAllow(allowance)}>
          {words.allowances[allowance]}
        </MenuItem>
      ))}
    </Menu>
  )
}
