// The files that keep a branch from being brought in: uncommitted changes, or conflicts, which the agent can resolve.
import type { AgentSession } from '@quayside/client'
import { escapeInvisible, type Workspace, type WorkspaceAction } from '@quayside/protocol'
import { useState } from 'react'
import { shown } from '../../shared/controls/path-text.js'
import { problemOf } from '../../shared/problem.js'
import { strings } from '../../strings/strings.js'
import { FileNames } from '../cards/file-names.js'
import { useSessionContext } from '../context/session-context.js'
import type { Refusal } from './use-workspace-action.js'
import type { Step } from './workspace-form.js'

const words = strings.workspace

type RefusedProps = {
  readonly sent: WorkspaceAction
  readonly refusal: Refusal
  readonly workspace: Workspace
  readonly session: AgentSession
  readonly onStep: (step: Step) => void
  readonly onClose: () => void
}

export function Refused(props: RefusedProps) {
  const { sent, refusal, workspace, session, onStep, onClose } = props
  const { isConflict, paths, workTree } = refusal
  const { scrollAnchor } = useSessionContext()
  const [problem, setProblem] = useState<string>()
  const [isSending, setSending] = useState(false)
  const into = escapeInvisible(sent.into ?? workspace.base ?? '')
  const isHere = workTree === workspace.path
  const dirty = isHere ? words.dirtyHere : words.dirtyThere(into)

  async function resolve() {
    setSending(true)
    const files = paths.map((path) => `- ${shown(path)}`).join('\n')
    try {
      await session.prompt(words.resolvePrompt(into, files)).accepted
      onClose()
      scrollAnchor.goToEnd()
    } catch (error) {
      setProblem(problemOf(error))
      setSending(false)
    }
  }

  return (
    <>
      <p className="dialog-text" role="alert">
        {isConflict ? words.conflict(paths.length, into) : dirty}
      </p>
      <FileNames label={words.files} paths={paths} />
      <p className="problem" role="alert">
        {problem}
      </p>
      <div className="dialog-actions">
        {/* The focused button of the step before is gone. */}
        <button type="button" className="button" autoFocus onClick={onClose}>
          {strings.common.cancel}
        </button>
        {isConflict && (
          <button
            type="button"
            className="button primary"
            disabled={isSending}
            onClick={() => void resolve()}
          >
            {words.resolve}
          </button>
        )}
        {!isConflict && isHere && (
          <button type="button" className="button primary" onClick={() => onStep('commit')}>
            {words.commit}
          </button>
        )}
      </div>
    </>
  )
}
