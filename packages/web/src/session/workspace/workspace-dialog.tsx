// The dialog of a session's work tree: the form of a step, then its result, or the files that are in its way.
import type { AgentSession } from '@quayside/client'
import { escapeInvisible, type Workspace, type WorkspaceAction } from '@quayside/protocol'
import type { WorkspaceResult } from '@quayside/protocol'
import { useState } from 'react'
import { CopyButton } from '../../shared/controls/copy-button.js'
import { Dialog } from '../../shared/controls/dialog.js'
import { strings } from '../../strings/strings.js'
import { PullRequestForm } from './pull-request-form.js'
import { Refused } from './refused.js'
import { useWorkspaceAction } from './use-workspace-action.js'
import { type Step, WorkspaceForm } from './workspace-form.js'

const words = strings.workspace

/** The characters of a commit's hash that people see, about as many as git shows. */
const SHORT_COMMIT = 10

type WorkspaceDialogProps = {
  readonly session: AgentSession
  readonly workspace: Workspace
  readonly step: Step
  readonly onClose: () => void
}

export function WorkspaceDialog(props: WorkspaceDialogProps) {
  const { session, workspace, onClose } = props
  const [step, setStep] = useState(props.step)
  const { state, run, reset } = useWorkspaceAction(session.id)

  function goOn(next: Step) {
    setStep(next)
    reset()
  }

  const shared = { workspace, onStep: goOn, onClose }
  return (
    <Dialog title={titleOf(step, workspace.branch ?? '')} onClose={onClose}>
      {state.is === 'done' ? (
        <Done {...state} {...shared} onRun={run} />
      ) : state.is === 'refused' ? (
        <Refused {...state} {...shared} session={session} />
      ) : (
        <WorkspaceForm
          key={step}
          step={step}
          sessionId={session.id}
          workspace={workspace}
          isSending={state.is === 'sending'}
          problem={state.is === 'ready' ? state.problem : undefined}
          onRun={run}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

function titleOf(step: Step, branch: string): string {
  if (step === 'commit') return words.commitTitle
  if (step === 'bringIn') return words.bringInTitle(branch)
  return step === 'push' ? words.pushTitle(branch) : words.discardTitle
}

type DoneProps = {
  readonly sent: WorkspaceAction
  readonly result: WorkspaceResult
  readonly workspace: Workspace
  readonly onStep: (step: Step) => void
  readonly onRun: (action: WorkspaceAction) => void
  readonly onClose: () => void
}

function Done({ sent, result, workspace, onStep, onRun, onClose }: DoneProps) {
  const { kept, output, pullRequest } = result
  const { base = '' } = workspace
  return (
    <>
      <p className="dialog-text" role="status">
        {doneText(sent, result, workspace)}
      </p>
      {kept !== undefined && (
        <div className="command-row">
          <pre className="command">{kept}</pre>
          <CopyButton text={kept} />
        </div>
      )}
      {output !== '' && (
        <pre
          className="command workspace-output"
          tabIndex={0}
          role="group"
          aria-label={words.output}
        >
          {escapeInvisible(output)}
        </pre>
      )}
      {pullRequest && <PullRequestForm draft={pullRequest} remote={sent.remote} onRun={onRun} />}
      <div className="dialog-actions">
        {/* The focused button of the step before is gone. */}
        <button type="button" className="button" autoFocus onClick={onClose}>
          {strings.common.close}
        </button>
        {sent.action === 'commit' && (
          <button type="button" className="button primary" onClick={() => onStep('bringIn')}>
            {words.bringIn(escapeInvisible(base))}
          </button>
        )}
      </div>
    </>
  )
}

function doneText(sent: WorkspaceAction, result: WorkspaceResult, workspace: Workspace): string {
  const { branch = '', base = '' } = workspace
  const { kept } = result
  const commit = result.commit?.slice(0, SHORT_COMMIT) ?? ''
  if (sent.action === 'commit') return words.committed(commit)
  if (sent.action === 'push') return words.pushed(branch)
  if (sent.action === 'pullRequest') return words.pullRequestOpened
  if (sent.action === 'discard')
    return kept === undefined ? words.nothingKept(escapeInvisible(base)) : words.discarded
  return words.broughtIn(escapeInvisible(sent.into ?? base), commit)
}
