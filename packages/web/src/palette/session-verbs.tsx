// The verbs of the palette for the session on the screen: what its menu, its header and its composer can do.
import { useSession, type SessionView } from '@quayside/client/react'
import { agentOptionsOf, escapeInvisible } from '@quayside/protocol'
import { Command } from 'cmdk'
import { useMay } from '../hub/hub-context.js'
import { forkWords } from '../session/fork/fork-words.js'
import { useFork } from '../session/fork/use-fork.js'
import { sessionExports } from '../sessions/session-exports.js'
import { useSessionCommands } from '../sessions/use-session-commands.js'
import { Icon, type IconName } from '../shared/controls/icon.js'
import { showToast } from '../shared/controls/toasts.js'
import { showPanel } from '../shared/panel-location.js'
import { problemOf } from '../shared/problem.js'
import { useRoute } from '../shared/route.js'
import { strings } from '../strings/strings.js'

const words = strings.palette

type SessionVerbsProps = {
  readonly onRun: (action: () => void) => void
  /** The choices of the agent's options may be many: they appear when a person types. */
  readonly hasChoices: boolean
}
type Verb = readonly [icon: IconName, label: string, act: () => void]

export function SessionVerbs(props: SessionVerbsProps) {
  const route = useRoute()
  return route.page === 'session' ? <Verbs id={route.id} {...props} /> : null
}

function Verbs({ id, onRun, hasChoices }: SessionVerbsProps & { readonly id: string }) {
  const view = useSession(id)
  const own = useVerbs(id, view)
  const mayWrite = useMay('write')
  const isSetUp = hasChoices && mayWrite && view.status === 'active'
  const verbs = [...own, ...(isSetUp ? optionVerbs(view) : [])]
  if (view.is !== 'ready') return null
  return (
    <Command.Group heading={words.thisSession}>
      {verbs.map(([icon, label, act]) => (
        <Command.Item
          key={label}
          className="palette-item"
          value={`${label} ${words.thisSession}`}
          onSelect={() => onRun(act)}
        >
          <Icon name={icon} size={14} />
          <span className="palette-name">{label}</span>
        </Command.Item>
      ))}
    </Command.Group>
  )
}

function useVerbs(id: string, view: SessionView): readonly Verb[] {
  const commands = useSessionCommands({ id, title: view.title })
  const mayWrite = useMay('write')
  const { fork } = useFork(id)
  const { isArchived } = view
  const isActive = view.status === 'active'
  const read: readonly Verb[] = [
    ['code', words.review, () => showPanel(id, 'changes')],
    ...sessionExports(id).map(({ href, label }): Verb => ['download', label, () => save(href)]),
  ]
  if (!mayWrite) return read
  const { menu } = strings
  return [
    ...(isActive && view.activity !== 'idle'
      ? [['stop', strings.shortcuts.stop, () => attempt(view.session?.stop())] as const]
      : []),
    ['edit', menu.rename, () => pressTitle()],
    ['branch', forkWords.forkSession, () => fork()],
    [
      'archive',
      isArchived ? menu.unarchive : menu.archive,
      () => commands.archive(!isArchived),
    ] as const,
    ...read,
    ...(isActive ? [['checkCircle', menu.end, commands.end] as const] : []),
  ]
}

/** One verb for each choice of the agent's options, such as its model. */
function optionVerbs(view: SessionView): Verb[] {
  return agentOptionsOf(view).flatMap(({ id, name, value, choices }) =>
    choices
      .filter((choice) => choice.value !== value)
      .map((choice): Verb => {
        const label = escapeInvisible(`${name}: ${choice.name}`)
        return ['gear', label, () => attempt(view.setConfig(id, choice.value))]
      }),
  )
}

function attempt(action: Promise<unknown> | undefined): void {
  action?.catch((error: unknown) => showToast({ text: problemOf(error) }))
}

/** The header owns the field for the name. */
function pressTitle(): void {
  document.querySelector<HTMLElement>('.session-name-button')?.click()
}

function save(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}
