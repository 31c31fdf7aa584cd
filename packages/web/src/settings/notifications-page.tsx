// The notifications of this device. The browser asks for permission only when the switch is pressed.
import { Devices } from '@quayside/client/admin'
import { useHub } from '@quayside/client/react'
import { useState } from 'react'
import { enableNotifications, notify, notifySupport } from '../attention/notify.js'
import { ALERT_SWITCHES, usePushState, type PushState } from '../attention/push.js'
import { playSound } from '../attention/sound.js'
import { prefer, usePreferences } from '../shared/preferences.js'
import { problemOf } from '../shared/problem.js'
import { SchemaField } from '../shared/controls/schema-field.js'
import { strings } from '../strings/strings.js'

const words = strings.notifications
const KINDS = [
  [ALERT_SWITCHES.needsYou, words.needsYou],
  [ALERT_SWITCHES.finished, words.finished],
  [ALERT_SWITCHES.failed, words.failed],
] as const

export function NotificationsPage() {
  const preferences = usePreferences()
  const [support, setSupport] = useState(notifySupport)
  const isOn = preferences.notify && support === 'possible'

  async function toggle(isWanted: boolean) {
    if (isWanted) await enableNotifications()
    else prefer({ notify: false })
    setSupport(notifySupport())
  }

  return (
    <>
      <p className="muted">{words.text}</p>
      {support !== 'possible' && (
        <p className="note" role="alert">
          {words.support[support]}
        </p>
      )}
      {(support === 'possible' || support === 'blocked') && (
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
      <Sound />
      {isOn && <Reach />}
    </>
  )
}

/** Needs no permission of the browser, only an open page. */
function Sound() {
  const { notifySound } = usePreferences()
  return (
    <div className="field-row">
      <SchemaField
        field={{ id: 'notifySound', type: 'checkbox', label: words.sound }}
        value={notifySound}
        onChange={(value) => prefer({ notifySound: value === true })}
      />
      <button type="button" className="quiet-button" onClick={() => void playSound()}>
        {words.play}
      </button>
    </div>
  )
}

/** The state of push notifications, and a button that sends a test. */
function Reach() {
  const client = useHub()
  const push = usePushState()
  const [message, setMessage] = useState<string>()
  const [problem, setProblem] = useState<string>()

  async function test() {
    setMessage(undefined)
    setProblem(undefined)
    try {
      if (push.is === 'on') await new Devices(client).testPush()
      else await notify(strings.appName, words.testText, '/')
      setMessage(words.testSent)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  return (
    <>
      <p className="note" data-testid="push-state" data-state={push.is}>
        {reachOf(push)}
      </p>
      <button type="button" className="button" onClick={() => void test()}>
        {words.test}
      </button>
      <p className="form-said" role="status">
        {message}
      </p>
      <p className="problem" role="alert">
        {problem}
      </p>
      <p className="muted">{words.whatLeaves}</p>
    </>
  )
}

function reachOf(push: PushState): string {
  if (push.is === 'on') return words.pushOn
  const reason = push.is === 'failed' ? push.problem : undefined
  return reason === undefined ? words.pushOff : `${words.pushOff} ${reason}`
}
