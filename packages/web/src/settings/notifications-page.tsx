// Whether and of what this device notifies. The browser is asked only when the switch is pressed.
import { useState } from 'react'
import { canNotify, enableNotifications } from '../attention/notify.js'
import { prefer, usePreferences, type Preferences } from '../shared/preferences.js'
import { SchemaField } from '../shared/schema-field.js'
import { strings } from '../strings.js'

const words = strings.notifications
const KINDS = [
  ['notifyNeedsYou', words.needsYou],
  ['notifyFinished', words.finished],
  ['notifyFailed', words.failed],
] as const satisfies readonly (readonly [keyof Preferences, string])[]

export function NotificationsPage() {
  const preferences = usePreferences()
  const [isDenied, setDenied] = useState(() => canNotify() && Notification.permission === 'denied')
  const isOn = preferences.notify && !isDenied

  async function toggle(isWanted: boolean) {
    if (!isWanted) return prefer({ notify: false })
    setDenied(!(await enableNotifications()))
  }

  return (
    <>
      <p className="muted">{words.text}</p>
      {!canNotify() && <p className="note">{words.unsupported}</p>}
      {isDenied && (
        <p className="note" role="alert">
          {words.denied}
        </p>
      )}
      {canNotify() && (
        <div className="form">
          <SchemaField
            field={{ id: 'notify', type: 'checkbox', label: words.enable }}
            value={isOn}
            onChange={(value) => void toggle(value === true)}
          />
          {isOn &&
            KINDS.map(([id, label]) => (
              <SchemaField
                key={id}
                field={{ id, type: 'checkbox', label }}
                value={preferences[id]}
                onChange={(value) => prefer({ [id]: value === true })}
              />
            ))}
        </div>
      )}
    </>
  )
}
