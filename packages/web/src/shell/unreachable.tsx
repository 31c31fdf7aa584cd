// Shown while the hub does not answer. Part of the first script, because nothing else can be loaded then; access.ts retries.
import { Icon } from '../shared/controls/icon.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'
import { EntryColumn } from './entry-column.js'

const words = strings.signIn

export function Unreachable() {
  useTitle(strings.appName)
  return (
    <EntryColumn title={words.unreachable} text={words.unreachableText}>
      <p className="waiting" role="status">
        <Icon name="spinner" size={14} />
        {strings.frame.connecting}
      </p>
    </EntryColumn>
  )
}
