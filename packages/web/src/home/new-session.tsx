// The form that starts a session: task, repository, agent, and the reason when it fails to start.
import { ClientError, type PromptInput } from '@quayside/client'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Composer } from '../composer/composer.js'
import { noPicturesOf } from '../composer/no-pictures.js'
import { draftOf, inputOf } from '../drafts/draft.js'
import { Icon } from '../shared/controls/icon.js'
import { problemOf } from '../shared/problem.js'
import { Link, settingsPath } from '../shared/route.js'
import { strings } from '../strings/strings.js'
import { AddRepoDialog } from '../repos/add-repo.js'
import { ForeignText } from './foreign-text.js'
import { NewSessionPickers } from './new-session-pickers.js'
import { NewSessionSettings } from './new-session-settings.js'
import { useNewSession } from './use-new-session.js'
import { useStart } from './use-start.js'

type NewSessionProps = {
  readonly title: string
  readonly asked: { readonly repo?: string | undefined; readonly agent?: string | undefined }
  /** Rendered below the form. */
  readonly children: (start: StartIn) => ReactNode
}

export type StartIn = {
  /** The repository in which a session is starting. */
  readonly startingIn: string | undefined
  /** Starts a session without a prompt. */
  readonly startIn: (repoId: string) => void
  /** Opens the dialog that adds a repository by its path. */
  readonly addRepo: () => void
}

type FailedStart = { readonly error: ClientError; readonly isShownAtComposer: boolean }

/** The key of the draft for a new session. A link may fill it when it is empty; only a person sends it. */
export const NEW_DRAFT = 'new'
const words = strings.home
const NEXT_STEPS: Readonly<Record<string, { readonly href: string; readonly label: string }>> = {
  session_limit: { href: settingsPath('processes'), label: words.allRunning },
  agent_not_installed: { href: settingsPath('agents'), label: words.install },
}

export function NewSession({ title, asked, children }: NewSessionProps) {
  const choice = useNewSession(asked)
  const { startingIn, isSlow, start, dialog } = useStart()
  const [failure, setFailure] = useState<FailedStart>()
  const [isSettingUp, setSettingUp] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const { repoId, agent, settings, chosen: options } = choice

  async function startIn(id: string, prompt?: PromptInput) {
    setFailure(undefined)
    const request = { repoId: id, agentId: agent?.id, settings, options, ...(prompt && { prompt }) }
    try {
      await start(request)
    } catch (error) {
      if (error instanceof ClientError)
        setFailure({ error, isShownAtComposer: prompt !== undefined })
      throw error
    }
  }

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
            if (repoId !== undefined) await startIn(repoId, inputOf(text, attached))
          }}
        >
          <NewSessionPickers
            choice={choice}
            onSettings={() => setSettingUp(true)}
            onAddRepo={() => setAdding(true)}
          />
        </Composer>
        <StartingLine
          agentName={startingIn === undefined ? undefined : agent?.name}
          isSlow={isSlow}
        />
        <Failure failure={failure} />
        {children({
          startingIn,
          addRepo: () => setAdding(true),
          // The error is shown above.
          startIn: (id) => void startIn(id).catch((error: unknown) => problemOf(error)),
        })}
      </div>
      {isAdding && (
        <AddRepoDialog
          onAdded={({ id }) => choice.chooseRepo(id)}
          onClose={() => setAdding(false)}
        />
      )}
      {isSettingUp && <NewSessionSettings choice={choice} onClose={() => setSettingUp(false)} />}
      {dialog}
    </div>
  )
}

type StartingLineProps = { readonly agentName: string | undefined; readonly isSlow: boolean }

function StartingLine({ agentName, isSlow }: StartingLineProps) {
  if (agentName === undefined) return null
  return (
    <p className="waiting" role="status">
      <Icon name="spinner" size={14} />
      {isSlow ? words.slowStart(agentName) : words.starting}
    </p>
  )
}

/** The error with the next step, if there is one. Errors about the prompt are shown at the composer. */
function Failure({ failure }: { failure: FailedStart | undefined }) {
  const nextStep = NEXT_STEPS[failure?.error.code ?? '']
  return (
    <div role="alert">
      {failure && (
        <p className="problem">
          {!failure.isShownAtComposer && problemOf(failure.error)}{' '}
          {nextStep && <Link href={nextStep.href}>{nextStep.label}</Link>}
        </p>
      )}
    </div>
  )
}
