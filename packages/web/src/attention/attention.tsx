// Tells a person that a session needs them, in the least loud way that reaches them: the row, a toast, the tab, a notification.
import { useHub, useSessions } from '@quayside/client/react'
import { ALERT_KINDS, type AlertKind, type SessionSummary } from '@quayside/protocol'
import { useEffect, useEffectEvent, useRef } from 'react'
import { ALL_SESSIONS, LIVE_SESSIONS, needsYou } from '../sessions/session-queries.js'
import { preferences, usePreferences } from '../shared/preferences.js'
import { markRead, useUnread } from '../sessions/read-marks.js'
import { navigate, sessionPath } from '../shared/route.js'
import { showToast } from '../shared/controls/toasts.js'
import { DocumentTitle, setWaitingCount } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'
import { Alerts, type Alert } from './alerts.js'
import { notify } from './notify.js'
import { playSound } from './sound.js'
import { isPushed, keepSubscribed, NEWS_SWITCHES, unsubscribe } from './push.js'

const words = strings.notifications
const WORDS: Record<AlertKind, string> = {
  needsYou: words.sayNeedsYou,
  finished: words.sayFinished,
  failed: words.sayFailed,
}

export function Attention({ current }: { current: string | undefined }) {
  const { sessions, is } = useSessions(ALL_SESSIONS)
  const { sessions: live } = useSessions(LIVE_SESSIONS)
  const changes = useRef(new Alerts())
  const waiting = live.filter(needsYou).length

  const notifyOf = useEffectEvent((alert: Alert) => notifyAbout(alert, current))
  useEffect(() => {
    if (is === 'ready') changes.current.next(sessions).forEach(notifyOf)
  }, [is, sessions])

  useEffect(() => setWaitingCount(waiting), [waiting])
  useBadge(waiting, sessions)
  useReading(sessions.find(({ id }) => id === current))
  useVisibility()
  usePush()
  return <DocumentTitle />
}

function notifyAbout({ kind, session }: Alert, current: string | undefined): void {
  if (session.id === current && !document.hidden && document.hasFocus()) return
  // The hub tells of it; twice would be once too often.
  if (document.hidden && isPushed()) return
  const title = session.title ?? strings.common.newSession
  const path = sessionPath(session.id)
  if (document.hidden || !document.hasFocus()) {
    const settings = preferences()
    if (!settings[NEWS_SWITCHES[kind]]) return
    if (settings.notify) void notify(title, WORDS[kind], path)
    // A browser that refuses it has no other way to say so.
    if (settings.notifySound) playSound().catch(() => {})
  } else {
    const open = { label: strings.menu.open, run: () => navigate(path) }
    showToast({ text: `${title}: ${WORDS[kind]}`, action: open })
  }
}

/** The hub sends no push to a device whose page is in sight. */
function useVisibility(): void {
  const client = useHub()
  useEffect(() => {
    const tellHub = () => client.setVisible(!document.hidden)
    tellHub()
    document.addEventListener('visibilitychange', tellHub)
    return () => document.removeEventListener('visibilitychange', tellHub)
  }, [client])
}

/** On every visit, because browsers and hubs forget subscriptions without a word. */
function usePush(): void {
  const client = useHub()
  const settings = usePreferences()
  const kinds = ALERT_KINDS.filter((kind) => settings[NEWS_SWITCHES[kind]]).join()
  const isWanted = settings.notify
  useEffect(() => {
    const wanted = ALERT_KINDS.filter((kind) => kinds.includes(kind))
    if (isWanted) void keepSubscribed(client, wanted)
    else void unsubscribe(client)
  }, [client, isWanted, kinds])
}

/** The tab's icon, and the app's where the browser installed it. */
function useBadge(waiting: number, sessions: readonly SessionSummary[]): void {
  const isUnread = useUnread()
  const unread = sessions.filter((session) => isUnread(session))
  const hasFailed = unread.some(({ status }) => status === 'error')
  const kind = waiting > 0 ? '-attention' : hasFailed ? '-danger' : unread.length > 0 ? '-done' : ''

  useEffect(() => {
    document
      .querySelector<HTMLLinkElement>('link[rel="icon"]')
      ?.setAttribute('href', `/icon${kind}.svg`)
  }, [kind])
  useEffect(() => {
    // Not every browser has badges, and some refuse them until the app is installed.
    void navigator.setAppBadge?.(waiting).catch(() => {})
  }, [waiting])
}

/** A session that is on the screen is read, as soon as the page is. */
function useReading(session: SessionSummary | undefined): void {
  useEffect(() => {
    if (!session) return undefined
    const check = () => {
      if (!document.hidden) markRead(session)
    }
    check()
    document.addEventListener('visibilitychange', check)
    return () => document.removeEventListener('visibilitychange', check)
  }, [session])
}
