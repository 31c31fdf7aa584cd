// The branch of a session with a work tree of its own, and the menu that brings its work to the merge. The dialogs are loaded on demand.
import type { SessionView } from '@quayside/client/react'
import { escapeInvisible, type Workspace } from '@quayside/protocol'
import { useState } from 'react'
import { useMay } from '../../hub/hub-context.js'
import { Icon } from '../../shared/controls/icon.js'
import { Menu, MenuItem, MenuLine } from '../../shared/controls/menu.js'
import { inOwnScript } from '../../shared/controls/trouble.js'
import { restoreFocus } from '../../shared/page-focus.js'
import { comparePath, navigate } from '../../shared/route.js'
import { strings } from '../../strings/strings.js'
import { undoWords } from '../../strings/undo-words.js'
import { useCheck } from './use-check.js'
import { useWorkspace } from './use-workspace.js'
import type { Step } from './workspace-form.js'

const words = strings.workspace

const WorkspaceDialog = inOwnScript(
  async () => (await import('./workspace-dialog.js')).WorkspaceDialog,
)

export function WorkspaceMenu({ view }: { readonly view: SessionView }) {
  const workspace = useWorkspace(view)
  const [step, setStep] = useState<Step>()
  const mayChange = useMay('write')
  const runCheck = useCheck(view)
  const { branch, isRemoved = false } = workspace ?? {}
  if (!workspace || !view.session || branch === undefined) return null
  const isBusy = view.turnId !== undefined
  const isFixed = isRemoved || !mayChange

  function close() {
    setStep(undefined)
    // A discard removes the button of this menu, so the focus moves to the session's name.
    restoreFocus(() => document.querySelector<HTMLElement>('.session-name-button'))
  }

  return (
    <>
      {isFixed ? (
        <span className="workspace-branch" title={branch}>
          <Icon name="branch" size={14} />
          <span className="workspace-name">{isRemoved ? words.removed : branch}</span>
        </span>
      ) : (
        <Menu
          trigger={
            <button
              type="button"
              className="workspace-branch"
              aria-label={words.menu(branch)}
              title={isBusy ? undoWords.afterTurn : branch}
            >
              <Icon name="branch" size={14} />
              <span className="workspace-name">{branch}</span>
              <Icon name="chevronDown" size={14} />
            </button>
          }
        >
          <Items workspace={workspace} isBusy={isBusy} onCheck={runCheck} onStep={setStep} />
        </Menu>
      )}
      {step && (
        <WorkspaceDialog session={view.session} workspace={workspace} step={step} onClose={close} />
      )}
    </>
  )
}

type ItemsProps = {
  readonly workspace: Workspace
  readonly isBusy: boolean
  /** Undefined without a check command. */
  readonly onCheck: (() => Promise<void>) | undefined
  readonly onStep: (step: Step) => void
}

function Items({ workspace, isBusy, onCheck, onStep }: ItemsProps) {
  const { base = '', comparison } = workspace
  return (
    <>
      {comparison && (
        <>
          <MenuItem icon="copy" onSelect={() => navigate(comparePath(comparison.id))}>
            {words.compare}
          </MenuItem>
          <MenuLine />
        </>
      )}
      {onCheck && (
        <MenuItem icon="terminal" isDisabled={isBusy} onSelect={() => void onCheck()}>
          {words.check}
        </MenuItem>
      )}
      <MenuItem icon="check" isDisabled={isBusy} onSelect={() => onStep('commit')}>
        {words.commit}
      </MenuItem>
      <MenuItem icon="branch" isDisabled={isBusy} onSelect={() => onStep('bringIn')}>
        {words.bringIn(escapeInvisible(base))}
      </MenuItem>
      <MenuItem icon="arrowUp" isDisabled={isBusy} onSelect={() => onStep('push')}>
        {words.push}
      </MenuItem>
      <MenuLine />
      <MenuItem icon="trash" isDangerous isDisabled={isBusy} onSelect={() => onStep('discard')}>
        {words.discard}
      </MenuItem>
    </>
  )
}
