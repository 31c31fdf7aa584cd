// What happened to a session besides its turns, in words, and what the agent itself said about it.
import { useSession, useTimeline } from '@quayside/client/react'
import { asPlainText, type NoticeItem } from '@quayside/protocol'
import { Disclosure } from '../../shared/controls/disclosure.js'
import { Icon } from '../../shared/controls/icon.js'
import { navigate, newSessionPath } from '../../shared/route.js'
import { strings } from '../../strings/strings.js'
import { Output } from '../cards/output.js'
import { draftOf } from '../../drafts/draft.js'
import { continueText } from './continue-text.js'
import { useSessionPlace } from '../context/session-context.js'

const words = strings.session

export function Notice({ item: { severity, code, message, details } }: { item: NoticeItem }) {
  const said = asPlainText(message)
  if (severity !== 'error')
    return (
      <p className={`line ${severity}`}>
        <Icon name="alert" size={14} />
        <span dir="auto">{said}</span>
        {code === 'agent_primed' && <ContinueInNew />}
      </p>
    )
  return (
    <Failure
      message={said}
      advice={code === 'agent_crashed' ? words.afterCrash : undefined}
      said={details?.['stderrTail'] ?? details?.['acp']}
    />
  )
}

/** For an agent that has forgotten: a fresh session may begin with what a person picks from this one. */
function ContinueInNew() {
  const { sessionId } = useSessionPlace()
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
  /** What a person can do about it. */
  readonly advice?: string | undefined
  /** What the agent wrote; strings as they are, anything else as JSON. */
  readonly said?: unknown
}

export function Failure({ message, advice, said }: FailureProps) {
  const text = printed(said)
  return (
    <div className="failure" role="alert">
      <Icon name="alert" />
      <div>
        <b dir="auto">{message}</b>
        {advice !== undefined && <p className="failure-advice">{advice}</p>}
        {text !== '' && !message.includes(text) && (
          <Disclosure
            className="failure-details"
            isOpen={text.length < 500}
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

function printed(said: unknown): string {
  if (said === undefined || said === null) return ''
  return typeof said === 'string' ? said.trim() : JSON.stringify(said, null, 2)
}
