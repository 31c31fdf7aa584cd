// The command palette: verbs for the session on the screen, sessions by title and by their messages, repositories, and the commands
// of the shell.
import { useSessions } from '@quayside/client/react'
import { Command } from 'cmdk'
import { ALL_SESSIONS } from '../sessions/session-queries.js'
import { useLists, useMay } from '../hub/hub-context.js'
import { Icon, type IconName } from '../shared/controls/icon.js'
import { prefer, preferences } from '../shared/preferences.js'
import {
  foundPath,
  navigate,
  newSessionPath,
  sessionPath,
  SETTINGS_PAGES,
  settingsPath,
} from '../shared/route.js'
import { marksOf } from '../sessions/session-groups.js'
import { sessionLine } from '../sessions/session-state.js'
import { KEYS } from '../shortcuts/shortcuts.js'
import { strings } from '../strings/strings.js'
import { SessionVerbs } from './session-verbs.js'

const words = strings.palette
const SEARCH_FROM = 2
const NOTHING = { q: '', limit: 1 }

export type PaletteProps = {
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly onClose: () => void
  readonly onHelp: () => void
}

export function Palette({ typed, onType, onClose, onHelp }: PaletteProps) {
  const mayStart = useMay('write')

  /** Closes first, so that the dialog returns the focus before the action moves it. */
  function run(action: () => void) {
    onClose()
    setTimeout(action)
  }

  return (
    <Command label={words.label}>
      <div className="palette-search">
        <Icon name="search" />
        <Command.Input
          className="palette-input"
          placeholder={words.placeholder}
          value={typed}
          onValueChange={onType}
          autoFocus
        />
      </div>
      <Command.List className="palette-list">
        <Command.Empty className="popover-empty">{words.none}</Command.Empty>
        <SessionVerbs onRun={run} hasChoices={typed !== ''} />
        <Sessions onRun={run} />
        {typed.trim().length >= SEARCH_FROM && (
          <ConversationMatches words={typed.trim()} onRun={run} />
        )}
        {mayStart && <Repos onRun={run} />}
        {mayStart && <Agents onRun={run} />}
        <Actions onRun={run} onHelp={onHelp} />
      </Command.List>
    </Command>
  )
}

type GroupProps = { readonly onRun: (action: () => void) => void }

function Sessions({ onRun }: GroupProps) {
  const { sessions } = useSessions(ALL_SESSIONS)
  const { repos } = useLists()
  const marks = marksOf(sessions)
  return (
    <Command.Group heading={words.sessions}>
      {sessions.slice(0, 50).map((session) => {
        const { id, title, repoId } = session
        const { look, words: state } = sessionLine(session)
        return (
          <Command.Item
            // Another title is another item: cmdk filters an item by the value that it began with.
            key={`${id} ${title}`}
            className="palette-item"
            value={`${title ?? strings.common.newSession} ${id}`}
            onSelect={() => onRun(() => navigate(sessionPath(id)))}
          >
            <i className={`dot ${look}`} />
            <span className="palette-name" dir="auto">
              {title ?? strings.common.newSession}
            </span>
            <span className="palette-note">
              {[marks.get(id), repos.find((repo) => repo.id === repoId)?.name, state]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </Command.Item>
        )
      })}
    </Command.Group>
  )
}

/** The hub has searched the messages. The words are in the value of each result, so that the palette's own filter lets it pass. */
function ConversationMatches({ words: sought, onRun }: GroupProps & { readonly words: string }) {
  const { sessions } = useSessions({ ...NOTHING, q: sought, limit: 5 })
  if (sessions.length === 0) return null
  return (
    <Command.Group heading={words.inside}>
      {sessions.map(({ id, title, excerpt, ...found }) => (
        <Command.Item
          key={id}
          className="palette-item"
          value={`said ${id} ${sought}`}
          onSelect={() => onRun(() => navigate(foundPath({ id, ...found })))}
        >
          <Icon name="search" size={14} />
          <span className="palette-name" dir="auto">
            {title ?? strings.common.newSession}
          </span>
          <span className="palette-note" dir="auto">
            {excerpt?.map(({ text }) => text).join('')}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  )
}

function Repos({ onRun }: GroupProps) {
  const { repos } = useLists()
  return (
    <Command.Group heading={words.repos}>
      {repos.map(({ id, name, branch }) => (
        <Command.Item
          key={id}
          className="palette-item"
          value={`${strings.home.startIn(name)} ${id}`}
          onSelect={() => onRun(() => navigate(newSessionPath({ repo: id })))}
        >
          <Icon name="repo" size={14} />
          <span className="palette-name">{strings.home.startIn(name)}</span>
          <span className="palette-note">{branch}</span>
        </Command.Item>
      ))}
    </Command.Group>
  )
}

function Agents({ onRun }: GroupProps) {
  const { agents } = useLists()
  return (
    <Command.Group heading={words.agents}>
      {agents
        .filter(({ installed }) => installed !== false)
        .map(({ id, name }) => (
          <Command.Item
            key={id}
            className="palette-item"
            value={`${words.startWith(name)} ${id}`}
            onSelect={() => onRun(() => navigate(newSessionPath({ agent: id })))}
          >
            <Icon name="bolt" size={14} />
            <span className="palette-name">{words.startWith(name)}</span>
          </Command.Item>
        ))}
    </Command.Group>
  )
}

type Action = readonly [icon: IconName, label: string, action: () => void, keys?: readonly string[]]

function Actions({ onRun, onHelp }: GroupProps & { readonly onHelp: () => void }) {
  const { themes } = strings.general
  const actions: readonly Action[] = [
    ['plus', strings.common.newSession, () => navigate('/'), KEYS.newSession],
    [
      'side',
      strings.shortcuts.sidebar,
      () => prefer({ isSideHidden: !preferences().isSideHidden }),
      KEYS.sidebar,
    ],
    ['question', strings.keyboard.title, onHelp, KEYS.help],
    ...(['light', 'dark', 'system'] as const).map(
      (theme) => ['gear', words.theme(themes[theme]), () => prefer({ theme })] as const,
    ),
    ...SETTINGS_PAGES.map(
      (page) =>
        [
          'gear',
          words.goTo(strings.settings.pages[page]),
          () => navigate(settingsPath(page)),
        ] as const,
    ),
  ]
  return (
    <Command.Group heading={words.actions}>
      {actions.map(([icon, label, action, keys]) => (
        <Command.Item
          key={label}
          className="palette-item"
          value={label}
          onSelect={() => onRun(action)}
        >
          <Icon name={icon} size={14} />
          <span className="palette-name">{label}</span>
          {keys && <kbd className="menu-key">{keys.join(' ')}</kbd>}
        </Command.Item>
      ))}
    </Command.Group>
  )
}
