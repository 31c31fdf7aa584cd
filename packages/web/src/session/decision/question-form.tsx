// The form of an agent's question: fields to fill in, or an address to open.
import { Icon } from '../../shared/controls/icon.js'
import { ClientError } from '@quayside/client'
import type { SessionView } from '@quayside/client/react'
import { asPlainText, escapeInvisible, type QuestionItem } from '@quayside/protocol'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useMay } from '../../hub/hub-context.js'
import { problemOf } from '../../shared/problem.js'
import { SchemaField, type FieldValue } from '../../shared/controls/schema-field.js'
import { strings } from '../../strings/strings.js'
import { hostOf, linkable } from '../markdown/address.js'
import { DecisionHead } from './decision-head.js'
import { readFields } from './question-fields.js'
import { useArmed } from '../../shared/use-armed.js'

const words = strings.session

type QuestionFormProps = {
  readonly view: SessionView
  readonly item: QuestionItem
  readonly agentName: string
  readonly listKey?: string
}

export function QuestionForm({ view, item, agentName, listKey }: QuestionFormProps) {
  const { questionId, requestedSchema, message, mode, url } = item
  const [fields] = useState(() => readFields(requestedSchema))
  const [values, setValues] = useState<Readonly<Record<string, FieldValue>>>(() =>
    Object.fromEntries(fields.map(({ field, initial }) => [field.id, initial])),
  )
  const mayAnswer = useMay('write')
  const isArmed = useArmed(listKey)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function answer(action: 'accept' | 'decline') {
    if (!isArmed) return
    setSending(true)
    setProblem(undefined)
    const given = Object.entries(values).filter(([, value]) => value !== undefined)
    const content = Object.fromEntries(given)
    try {
      await view.answer(
        questionId,
        action === 'accept' && mode !== 'url' ? { action, content } : { action },
      )
    } catch (error) {
      // Another device was faster: its answer arrives as an event and closes this form.
      const isLate = error instanceof ClientError && error.code === 'question_not_pending'
      if (!isLate) setProblem(problemOf(error))
      setSending(false)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void answer('accept')
  }

  return (
    <form
      className="decision"
      aria-label={listKey === undefined ? words.needsDecision : undefined}
      tabIndex={-1}
      onSubmit={submit}
    >
      <DecisionHead view={view} item={item}>
        <Icon name="question" />
        {words.asks(agentName)}
      </DecisionHead>
      <div className="decision-body">
        <p className="question-message" dir="auto">
          {asPlainText(message)}
        </p>
        {mode === 'url' && <Address address={url ?? ''} />}
        {fields.length > 0 && (
          <div className="form question-form">
            {fields.map(({ field }) => (
              <SchemaField
                key={field.id}
                field={field}
                value={values[field.id]}
                onChange={(value) => setValues((before) => ({ ...before, [field.id]: value }))}
              />
            ))}
          </div>
        )}
        {problem !== undefined && <p className="problem">{problem}</p>}
      </div>
      <div className="decision-options">
        <button
          className="button primary"
          disabled={isSending || !mayAnswer}
          aria-disabled={!isArmed || undefined}
        >
          {mode === 'url' ? words.finished : words.answer}
        </button>
        <button
          type="button"
          className="button reject"
          disabled={isSending || !mayAnswer}
          aria-disabled={!isArmed || undefined}
          onClick={() => void answer('decline')}
        >
          {words.decline}
        </button>
      </div>
    </form>
  )
}

/** The whole address and its host, before the person opens it. */
function Address({ address }: { address: string }) {
  const url = linkable(address)
  if (url === undefined)
    return (
      <>
        <pre className="command">{escapeInvisible(address)}</pre>
        <p className="problem">{words.notSafe}</p>
      </>
    )
  const host = hostOf(url)
  return (
    <div className="address">
      <p>
        {words.leadsTo} <b>{host}</b>
      </p>
      <pre className="command">{escapeInvisible(url.href)}</pre>
      {host.split('.').some((part) => part.startsWith('xn--')) && (
        <p className="problem">{words.punycode}</p>
      )}
      <a className="button" href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        <Icon name="external" size={14} />
        {words.openInNewTab}
      </a>
      <p className="output-note">{words.whenDone}</p>
    </div>
  )
}
