// The form that starts a session: task, repository, agent, and the reason when it fails to start.
import { ClientError, type PromptInput } from '@quayside/client'
import type { Extension } from '@quayside/protocol'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Composer } from '../composer/composer.js'
import { noPicturesOf } from '../composer/no-pictures.js'
import { draftOf, inputOf } from '../drafts/draft.js'
import { problemOf } from '../shared/problem.js'
import { Link, settingsPath } from '../shared/route.js'
import { strings } from '../strings/strings.js'
import { ForeignText } from './foreign-text.js'
import { MachineLine, useIsElsewhere } from '../repos/machine-picker.js'
import { NewSessionPickers } from './new-session-pickers.js'
import { StartingLine } from './starting-line.js'
import { type NewSessionChoice, useNewSession } from './use-new-session.js'
import { useStart } from './use-start.js'
import { inOwnScript } from '../shared/controls/trouble.js'

const AddRepoDialog = inOwnScript(async () => (await import('../repos/add-repo.js')).AddRepoDialog)
const BranchDialog = inOwnScript(async () => (await import('./branch-dialog.js')).BranchDialog)
const CompareAgentsDialog = inOwnScript(
  async () => (await import('../compare/compare-agents-dialog.js')).CompareAgentsDialog,
)
const InstallDialog = inOwnScript(
  async () => (await import('../agents/install-dialog.js')).InstallDialog,
)

type NewSessionProps = {
  readonly title: string
  readonly asked: { readonly repo?: string | undefined; readonly agent?: string | undefined }
  /** Rendered below the form. */
  readonly children: (composing: Composing) => ReactNode
}

/** The chosen repository, and the actions of the content below the form. */
export type Composing = {
  readonly repoId: string | undefined
  readonly chooseRepo: (repoId: string) => void
  /** Opens the dialog that adds a repository. */
  readonly addRepo: () => void
  readonly isStarting: boolean
  /** Starts a session with this prompt. */
  readonly startTask: (prompt: string) => void
}

type FailedStart = { readonly error: ClientError; readonly isShownAtComposer: boolean }

/** The key of the draft for a new session. A link may fill it when it is empty; only a person sends it. */
export const NEW_DRAFT = 'new'
const words = strings.home
const NewSessionSettings = inOwnScript(
  async () => (await import('./new-session-settings.js')).NewSessionSettings,
)
const NEXT_STEPS: Readonly<Record<string, { readonly href: string; readonly label: string }>> = {
  session_limit: { href: settingsPath('processes'), label: words.allRunning },
}

export function NewSession({ title, asked, children }: NewSessionProps) {
  const choice = useNewSession(asked)
  const { startingIn, isSlow, start, dialog } = useStart()
  const [failure, setFailure] = useState<FailedStart>()
  const [dialogOpen, open] = useState<ChoiceDialogProps['of']>()
  const [installing, setInstalling] = useState<Extension>()
  const { repoId, hubId, agent, place, chosen: options, compared } = choice
  const isElsewhere = useIsElsewhere({ repoId, hubId })
  const settings = { ...choice.settings, ...place }
  const close = () => open(undefined)

  async function begin(prompt: PromptInput) {
    if (repoId === undefined) return
    setFailure(undefined)
    await start({ repoId, hubId, agentId: agent?.id, compared, settings, options, prompt })
  }

  const fail = (error: unknown, isShownAtComposer: boolean) =>
    error instanceof ClientError && setFailure({ error, isShownAtComposer })

  return (
    <div className="home">
      <div className="home-column">
        <h1 className="display">{title}</h1>
        <ForeignText draft={draftOf(NEW_DRAFT)} />
        <Composer
          draftKey={NEW_DRAFT}
          placeholder={words.placeholder}
          hint={words.hint}
          repoId={repoId}
          noPictures={agent && noPicturesOf(agent.capabilities, agent.name)}
          isDisabled={startingIn !== undefined || repoId === undefined}
          onSend={async (text, attached) => {
            try {
              await begin(inputOf(text, attached))
            } catch (error) {
              fail(error, true)
              throw error
            }
          }}
        >
          <NewSessionPickers
            choice={choice}
            onInstall={setInstalling}
            onSettings={() => open('settings')}
            onAddRepo={() => open('repo')}
            onNameBranch={() => open('branch')}
            onCompare={() => open('compare')}
          />
        </Composer>
        <MachineLine place={{ repoId, hubId }} />
        <StartingLine
          agentName={startingIn === undefined ? undefined : agent?.name}
          isSlow={isSlow}
          ownTreeIn={place.workspace === 'worktree' || compared.length > 0 ? repoId : undefined}
        />
        <Failure
          failure={failure}
          onInstall={isElsewhere ? undefined : () => setInstalling(agent)}
        />
        {children({
          repoId,
          chooseRepo: (id) => choice.chooseRepo(id),
          addRepo: () => open('repo'),
          isStarting: startingIn !== undefined,
          startTask: (prompt) => void begin(prompt).catch((error: unknown) => fail(error, false)),
        })}
      </div>
      {dialogOpen && <ChoiceDialog of={dialogOpen} choice={choice} onClose={close} />}
      {installing && (
        <InstallDialog
          agent={installing}
          onInstalled={() => {
            choice.chooseAgent(installing.id)
            setInstalling(undefined)
          }}
          onClose={() => setInstalling(undefined)}
        />
      )}
      {dialog}
    </div>
  )
}

type ChoiceDialogProps = {
  readonly of: 'settings' | 'repo' | 'branch' | 'compare'
  readonly choice: NewSessionChoice
  readonly onClose: () => void
}

function ChoiceDialog({ of, choice, onClose }: ChoiceDialogProps) {
  const { agent, compared } = choice
  if (of === 'branch') return <BranchDialog onChoose={choice.choosePlace} onClose={onClose} />
  if (of === 'settings') return <NewSessionSettings choice={choice} onClose={onClose} />
  if (of === 'repo')
    return <AddRepoDialog onAdded={({ id }) => choice.chooseRepo(id)} onClose={onClose} />
  return (
    <CompareAgentsDialog
      chosen={compared.length > 0 || !agent ? compared : [agent.id]}
      onChoose={choice.compare}
      onClose={onClose}
    />
  )
}

type FailureProps = {
  readonly failure: FailedStart | undefined
  /** Undefined when the session was to run on another machine: an agent is installed there. */
  readonly onInstall: (() => void) | undefined
}

/** The error with the next step, if there is one. Errors about the prompt are shown at the composer. */
function Failure({ failure, onInstall }: FailureProps) {
  const code = failure?.error.code ?? ''
  const nextStep = NEXT_STEPS[code]
  return (
    <div role="alert">
      {failure && (
        <p className="problem">
          {!failure.isShownAtComposer && problemOf(failure.error)}{' '}
          {nextStep && <Link href={nextStep.href}>{nextStep.label}</Link>}
          {code === 'agent_not_installed' && onInstall && (
            <button type="button" className="mini" onClick={onInstall}>
              {words.install}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
