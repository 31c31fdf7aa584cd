// Offers notifications once, while an agent has been working for some time; never when the page loads.
import { useSessions } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import { LIVE_SESSIONS } from '../sessions/session-queries.js'
import { Icon } from '../shared/controls/icon.js'
import { prefer, usePreferences } from '../shared/preferences.js'
import { strings } from '../strings/strings.js'
import { enableNotifications, notifySupport } from './notify.js'

const words = strings.notifications
const OFFER_AFTER_MS = 20_000

export function NotificationOffer({ current }: { current: string | undefined }) {
  const { wasOfferedNotifications } = usePreferences()
  const { sessions } = useSessions(LIVE_SESSIONS)
  const isWorking = sessions.find(({ id }) => id === current)?.activity === 'working'
  const [isDue, setDue] = useState(false)
  // Read once: the query goes to the browser's main process, and sessions change many times a second.
  const [isOpen] = useState(
    () => notifySupport() === 'possible' && Notification.permission === 'default',
  )
  const canOffer = isOpen && !wasOfferedNotifications

  useEffect(() => {
    if (!isWorking || !canOffer) return undefined
    const timer = setTimeout(() => setDue(true), OFFER_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setDue(false)
    }
  }, [isWorking, canOffer])

  if (!isDue || !canOffer) return null
  return (
    <div className="offer" role="status">
      <Icon name="bell" size={14} />
      {words.offer}
      <button
        type="button"
        className="quiet-button strong"
        onClick={() => void enableNotifications()}
      >
        {words.offerYes}
      </button>
      <button
        type="button"
        className="quiet-button"
        onClick={() => prefer({ wasOfferedNotifications: true })}
      >
        {words.offerNo}
      </button>
    </div>
  )
}
