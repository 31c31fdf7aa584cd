// The settings: a list of pages and the selected one. On a phone the list is a page of its own.
import '../styles/settings.css'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../shared/controls/icon.js'
import { Link, SETTINGS_PAGES, settingsPath, type SettingsPageName } from '../shared/route.js'
import { useTitle } from '../shared/use-title.js'
import { ShortcutTable } from '../shortcuts/shortcut-table.js'
import { strings } from '../strings/strings.js'
import { AboutPage } from './about-page.js'
import { AccessPage } from './access-page.js'
import { AgentsPage } from './agents-page.js'
import { GeneralPage } from './general-page.js'
import { MachineNote } from './machine-note.js'
import { NotificationsPage } from './notifications-page.js'
import { ProcessesPage } from './processes-page.js'
import { RepositoriesPage } from './repositories-page.js'
import { StoragePage } from './storage-page.js'

const PAGES: Record<SettingsPageName, () => ReactNode> = {
  general: GeneralPage,
  notifications: NotificationsPage,
  agents: AgentsPage,
  repositories: RepositoriesPage,
  processes: ProcessesPage,
  storage: StoragePage,
  access: AccessPage,
  keyboard: ShortcutTable,
  about: AboutPage,
}

export function SettingsPage({ name }: { name: SettingsPageName | undefined }) {
  const shown = name ?? 'general'
  const { pages, nav, pageTitle } = strings.settings
  useTitle(pageTitle(pages[shown]))
  const Page = PAGES[shown]
  // One top-level heading, whichever of the two a phone shows.
  const ListHeading = name === undefined ? 'h1' : 'h2'

  return (
    <div className="settings" data-open={name !== undefined}>
      <nav className="settings-nav" aria-label={nav}>
        <ListHeading className="page-title">
          <Link className="icon-button back" href="/" aria-label={strings.frame.allSessions}>
            <Icon name="back" size={18} />
          </Link>
          {strings.common.settings}
        </ListHeading>
        <ul>
          {SETTINGS_PAGES.map((page) => (
            <li key={page}>
              <Link
                className="settings-link"
                href={settingsPath(page)}
                aria-current={page === shown ? 'page' : undefined}
              >
                {pages[page]}
                <Icon name="chevron" size={14} />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="settings-body" key={shown}>
        <div className="settings-column">
          <PageHeading isMain={name !== undefined}>{pages[shown]}</PageHeading>
          <MachineNote page={shown} />
          <Page />
        </div>
      </div>
    </div>
  )
}

/** Takes the focus after a navigation, so that a screen reader announces the page. */
function PageHeading({ children, isMain }: { children: string; isMain: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isMain) heading.current?.focus({ preventScroll: true })
  }, [isMain])
  const Heading = isMain ? 'h1' : 'h2'
  return (
    <Heading ref={heading} className="page-title" tabIndex={-1}>
      <Link className="icon-button back" href="/settings" aria-label={strings.common.settings}>
        <Icon name="back" size={18} />
      </Link>
      {children}
    </Heading>
  )
}
