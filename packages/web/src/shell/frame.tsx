// The frame of every page: session list, connection state, and overlays.
import { useSessions } from '@quayside/client/react'
import { useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { ConnectionBanner, ConnectionLine } from './connection-banner.js'
import { ALL_SESSIONS } from '../sessions/session-queries.js'
import { PaletteSlot } from '../palette/palette-slot.js'
import { Dialog } from '../shared/controls/dialog.js'
import { Edge, useKeptWidth } from '../shared/controls/edge.js'
import { useLists, useMay } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Logo } from '../shared/controls/logo.js'
import { inOwnScript } from '../shared/controls/trouble.js'
import { focusComposer } from '../shared/page-focus.js'
import { prefer, usePreferences } from '../shared/preferences.js'
import { Link, settingsPath } from '../shared/route.js'
import { Toasts } from '../shared/controls/toasts.js'
import { KEYS } from '../shortcuts/shortcuts.js'
import { useShellKeys } from '../shortcuts/use-shell-keys.js'
import { strings } from '../strings/strings.js'

const words = strings.frame
const Attention = inOwnScript(async () => (await import('../attention/attention.js')).Attention)
const NotificationOffer = inOwnScript(
  async () => (await import('../attention/notification-offer.js')).NotificationOffer,
)
const SessionList = inOwnScript(
  async () => (await import('../sessions/session-list.js')).SessionList,
)
const ShortcutTable = inOwnScript(
  async () => (await import('../shortcuts/shortcut-table.js')).ShortcutTable,
)
const SIDE_WIDTH = { key: 'quayside.side-width', initial: 272, min: 220, max: 360 }

type FrameProps = {
  readonly page: string
  readonly sessionId: string | undefined
  readonly children: ReactNode
}

export function Frame({ page, sessionId, children }: FrameProps) {
  const { isSideHidden } = usePreferences()
  const { sessions, is } = useSessions(ALL_SESSIONS)
  const isComplete = useComplete()
  const [sideWidth, setSideWidth] = useKeptWidth(SIDE_WIDTH)
  const [overlay, setOverlay] = useState<'palette' | 'help'>()
  const close = () => setOverlay(undefined)
  useShellKeys({
    current: sessionId,
    onPalette: () => setOverlay('palette'),
    onHelp: () => setOverlay('help'),
  })

  return (
    <div
      className="frame"
      data-page={page}
      data-side={isSideHidden ? 'hidden' : undefined}
      data-empty={(is === 'ready' && sessions.length === 0) || undefined}
      style={{ '--side-width': `${sideWidth}px` } as CSSProperties}
    >
      <a className="skip" href="#content">
        {words.skip}
      </a>
      {sessionId !== undefined && (
        <>
          <button type="button" className="skip" onClick={focusComposer}>
            {words.skipToComposer}
          </button>
          <button type="button" className="skip" onClick={goToLatest}>
            {words.skipToLatest}
          </button>
        </>
      )}
      <Side sessionId={sessionId} onPalette={() => setOverlay('palette')}>
        <Edge
          label={words.sideWidth}
          width={sideWidth}
          limits={SIDE_WIDTH}
          at="end"
          onChange={setSideWidth}
        />
      </Side>
      <main id="content" className="main" tabIndex={-1}>
        {children}
        <ConnectionBanner />
        {isComplete && <NotificationOffer current={sessionId} />}
      </main>
      <Toasts />
      {isComplete && <Attention current={sessionId} />}
      {overlay === 'palette' && <PaletteSlot onClose={close} onHelp={() => setOverlay('help')} />}
      {overlay === 'help' && (
        <Dialog title={strings.keyboard.title} onClose={close}>
          <ShortcutTable />
        </Dialog>
      )}
    </div>
  )
}

type SideProps = {
  readonly sessionId: string | undefined
  readonly onPalette: () => void
  /** The edge of the sidebar. */
  readonly children: ReactNode
}

function Side({ sessionId, onPalette, children }: SideProps) {
  const { isSideHidden } = usePreferences()
  const mayStart = useMay('write')
  const toggle = isSideHidden ? words.openSessions : words.hideSessions
  return (
    <nav className="side" aria-label={words.sessions}>
      <div className="side-head">
        <Link className="brand" href="/" aria-label={words.home}>
          <Logo />
          <span className="brand-name">{strings.appName}</span>
        </Link>
        <button
          type="button"
          className="icon-button small palette-open"
          aria-label={strings.palette.label}
          aria-keyshortcuts="Control+K"
          title={`${strings.palette.label} (${KEYS.palette.join(' ')})`}
          onClick={onPalette}
        >
          <Icon name="search" />
        </button>
        <Link
          className="icon-button small settings-open"
          href={settingsPath('general')}
          aria-label={strings.common.settings}
          title={strings.common.settings}
        >
          <Icon name="gear" />
        </Link>
        <button
          type="button"
          className="icon-button small side-toggle"
          aria-label={toggle}
          title={toggle}
          onClick={() => prefer({ isSideHidden: !isSideHidden })}
        >
          <Icon name="side" />
        </button>
      </div>
      {mayStart && (
        <Link className="button primary new-session" href="/">
          <Icon name="plus" />
          <span>{strings.common.newSession}</span>
          <kbd className="key">{KEYS.newSession.join(' ')}</kbd>
        </Link>
      )}
      <div className="side-list">
        <SessionList current={sessionId} />
      </div>
      <ConnectionLine />
      {children}
    </nav>
  )
}

/** True when the composer of a new session can be used, or has failed: alerts are loaded after it. */
function useComplete(): boolean {
  const { isLoaded, problem } = useLists()
  return isLoaded || problem !== undefined
}

function goToLatest(): void {
  // The button exists while the reader is further up.
  document.querySelector<HTMLElement>('[data-testid=jump-latest]')?.click()
  document.querySelector<HTMLElement>('[data-testid=timeline]')?.focus()
}
