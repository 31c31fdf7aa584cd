// Notices about a session outside its turns, with the agent's own output.
import { useSession, useTimeline } from '@quayside/client/react'
import type { ReactNode } from 'react'
import { asPlainText, type NoticeItem } from '@quayside/protocol'
import { Disclosure } from '../../shared/controls/disclosure.js'
import { Icon } from '../../shared/controls/icon.js'
import { Link, navigate, newSessionPath } from '../../shared/route.js'
import { hubSentence, strings } from '../../strings/strings.js'
import { Output } from '../cards/output.js'
import { draftOf } from '../../drafts/draft.js'
import { continueText } from './continue-text.js'
import { useSessionContext } from '../context/session-context.js'
import { OpenOther, ShowPrimer } from '../fork/fork-notices.js'
import { TurnRestored } from '../undo/turn-restored.js'
import { isRestore } from '../undo/undone-turns.js'

const words = strings.session

export function Notice({ item }: { item: NoticeItem }) {
  const { severity, code, message, details } = item
  if (isRestore(item)) return <TurnRestored item={item} />
  const output = asPlainText(hubSentence(message))
  if (severity !== 'error')
    return (
      <p className={`line ${severity}`}>
        <Icon name="alert" size={14} />
        <span dir="auto">{output}</span>
        {code === 'session_forked' && <OpenOther item={item} />}
        {code === 'agent_primed' && <Primed />}
        {code === 'agent_signed_out' && (
          <Link className="quiet-button strong" href="/settings/agents">
            {strings.agents.signIn}
          </Link>
        )}
      </p>
    )
  return (
    <Failure
      message={output}
      advice={isExit(details) ? words.afterCrash : undefined}
      output={details?.['stderrTail'] ?? details?.['acp']}
    />
  )
}

/** Logs of older hubs have the reason only. */
function isExit(details: NoticeItem['details']): boolean {
  return details !== undefined && ('exitCode' in details || details['reason'] === 'agent_exited')
}

/** A fork has just begun; any other session can begin again. */
function Primed() {
  const { sessionId } = useSessionContext()
  const { info } = useSession(sessionId)
  return (
    <>
      <ShowPrimer />
      {info?.forkedFrom === undefined && <ContinueInNew />}
    </>
  )
}

/** For an agent that has lost its memory: starts a new session with a draft of this conversation. */
function ContinueInNew() {
  const { sessionId } = useSessionContext()
  const { title, info } = useSession(sessionId)
  const { ids, item } = useTimeline(sessionId)

  function begin() {
    const items = ids.flatMap((id) => item(id) ?? [])
    draftOf('new').add(continueText(title ?? strings.common.newSession, items))
    navigate(newSessionPath({ repo: info?.repoId, agent: info?.extensionId }))
  }

  return (
    <button type="button" className="quiet-button strong" onClick={begin}>
      {words.continueInNew}
    </button>
  )
}

type FailureProps = {
  readonly message: string
  /** The next step for the person. */
  readonly advice?: string | undefined
  /** The agent's output: strings unchanged, anything else as JSON. */
  readonly output?: unknown
  /** The button of the next step; with it, the output is folded. */
  readonly action?: ReactNode
}

export function Failure({ message, advice, output, action }: FailureProps) {
  const text = printed(output)
  return (
    <div className="failure" role="alert">
      <Icon name="alert" />
      <div>
        <b dir="auto">{message}</b>
        {advice !== undefined && <p className="failure-advice">{advice}</p>}
        {action}
        {text !== '' && !message.includes(text) && (
          <Disclosure
            className="failure-details"
            isOpen={action === undefined && text.length < 500}
            summary={
              <>
                <Icon name="chevron" size={12} />
                {strings.common.details}
              </>
            }
          >
            <Output text={text} />
          </Disclosure>
        )}
      </div>
    </div>
  )
}

function printed(output: unknown): string {
  if (output === undefined || output === null) return ''
  return typeof output === 'string' ? output.trim() : JSON.stringify(output, null, 2)
}
