// Alerts a person that a session needs them, in the least intrusive way that reaches them: row, toast, tab,
// notification.
import { useHub, useSessions } from '@quayside/client/react'
import { ALERT_KINDS, type AlertKind, type SessionSummary } from '@quayside/protocol'
import { useEffect, useEffectEvent, useRef } from 'react'
import { ALL_SESSIONS, LIVE_SESSIONS, needsYou } from '../sessions/session-queries.js'
import { preferences, usePreferences } from '../shared/preferences.js'
import { markRead, useUnread } from '../sessions/read-marks.js'
import { comparePath, navigate, sessionPath } from '../shared/route.js'
import { showToast } from '../shared/controls/toasts.js'
import { DocumentTitle, setWaitingCount } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'
import { Alerts, type Alert } from './alerts.js'
import { notify } from './notify.js'
import { playSound } from './sound.js'
import { isPushed, keepSubscribed, ALERT_SWITCHES, unsubscribe } from './push.js'

const words = strings.notifications
const WORDS: Record<AlertKind, string> = {
  needsYou: words.sayNeedsYou,
  finished: words.sayFinished,
  failed: words.sayFailed,
}
const TOASTS: Record<AlertKind, (title: string) => string> = {
  needsYou: words.toastNeedsYou,
  finished: words.toastFinished,
  failed: words.toastFailed,
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
  const isShown = session.id === current || isCompared(session)
  if (isShown && !document.hidden && document.hasFocus()) return
  // The hub sends a push notification; a second one would be a duplicate.
  if (document.hidden && isPushed()) return
  const title = session.title ?? strings.common.newSession
  const path = sessionPath(session.id)
  if (document.hidden || !document.hasFocus()) {
    const settings = preferences()
    if (!settings[ALERT_SWITCHES[kind]]) return
    if (settings.notify) void notify(title, WORDS[kind], path)
    // The browser may refuse to play a sound; there is no one to report it to.
    if (settings.notifySound) playSound().catch(() => {})
  } else {
    const open = { label: strings.menu.open, run: () => navigate(path) }
    showToast({ text: TOASTS[kind](title), action: open, about: path })
  }
}

/** It is one of the sessions on the page of a comparison. */
function isCompared({ workspace }: SessionSummary): boolean {
  const { comparison } = workspace ?? {}
  return comparison !== undefined && location.pathname === comparePath(comparison.id)
}

/** Reports whether the page is visible: the hub sends no push to a device with a visible page. */
function useVisibility(): void {
  const client = useHub()
  useEffect(() => {
    const tellHub = () => client.setVisible(!document.hidden)
    tellHub()
    document.addEventListener('visibilitychange', tellHub)
    return () => document.removeEventListener('visibilitychange', tellHub)
  }, [client])
}

/** Renews the subscription on every visit, because browsers and hubs lose subscriptions silently. */
function usePush(): void {
  const client = useHub()
  const settings = usePreferences()
  const kinds = ALERT_KINDS.filter((kind) => settings[ALERT_SWITCHES[kind]]).join()
  const isWanted = settings.notify
  useEffect(() => {
    const wanted = ALERT_KINDS.filter((kind) => kinds.includes(kind))
    if (isWanted) void keepSubscribed(client, wanted)
    else void unsubscribe(client)
  }, [client, isWanted, kinds])
}

/** Sets the icon of the tab, and the badge of an installed app. */
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
    // Some browsers have no badges, or refuse them until the app is installed.
    void navigator.setAppBadge?.(waiting).catch(() => {})
  }, [waiting])
}

/** Marks the session on the screen as read while the page is visible. */
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
