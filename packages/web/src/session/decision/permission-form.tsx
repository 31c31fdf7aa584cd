// The form of a pending permission, with exactly the agent's options, names and order.
import type { SessionView } from '@quayside/client/react'
import {
  escapeInvisible,
  type PermissionItem,
  type PermissionOption,
  type ToolCall,
} from '@quayside/protocol'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { Disclosure } from '../../shared/controls/disclosure.js'
import { useMay } from '../../hub/hub-context.js'
import { Icon } from '../../shared/controls/icon.js'
import { problemOf } from '../../shared/problem.js'
import { strings } from '../../strings/strings.js'
import { Locations, ToolContent } from '../cards/tool-content.js'
import { AllowMore } from './allow-more.js'
import { allowAlike, allowForSession, isAnswered, rejectWithPrompt } from './compound-answers.js'
import { DecisionHead } from './decision-head.js'
import { useArmed } from '../../shared/use-armed.js'
import { hiddenLocations, isInputShown } from './shown-input.js'
import { useDecisionKeys } from './use-decision-keys.js'
import { WaitingList } from './waiting-list.js'

const words = strings.session

type PermissionFormProps = {
  readonly view: SessionView
  readonly item: PermissionItem
  readonly agentName: string
  readonly listKey?: string
}

export function PermissionForm({ view, item, agentName, listKey }: PermissionFormProps) {
  const mayAnswer = useMay('write')
  const isArmed = useArmed(listKey)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { toolCall, options, permissionId } = item

  async function attempt(deciding: () => Promise<unknown>) {
    setSending(true)
    setProblem(undefined)
    try {
      await deciding()
    } catch (error) {
      // An answer of another device closes this form.
      if (!isAnswered(error)) setProblem(problemOf(error))
      setSending(false)
    }
  }

  function answer({ optionId }: PermissionOption) {
    if (isArmed && !isSending && mayAnswer) void attempt(() => view.respond(permissionId, optionId))
  }

  const hasKeys = listKey === undefined
  useDecisionKeys(hasKeys ? options : [], answer)
  const once = mayAnswer && options.find(({ kind }) => kind === 'allow_once')
  const rejection = mayAnswer && options.find(({ kind }) => kind === 'reject_once')

  return (
    <section
      className="decision"
      aria-label={listKey === undefined ? words.needsDecision : undefined}
      data-testid="decision-dock"
      tabIndex={-1}
    >
      <DecisionHead view={view} item={item}>
        <Icon name="shield" />
        {words.wants(agentName, actionOf(toolCall))}
      </DecisionHead>
      <div className="decision-body">
        <CallDetails call={toolCall} />
        <WaitingList
          item={item}
          permissions={view.permissions}
          isDisabled={isSending || !mayAnswer || !isArmed}
          onAllow={(alike) => void attempt(() => allowAlike(view, alike))}
        />
        {problem !== undefined && <p className="problem">{problem}</p>}
      </div>
      <div className="decision-options">
        {options.map((option, index) => (
          <button
            key={option.optionId}
            type="button"
            className={`button ${lookOf(option)}`}
            data-testid="decision-option"
            disabled={isSending || !mayAnswer}
            // A disabled button would lose the focus.
            aria-disabled={!isArmed || undefined}
            onClick={() => answer(option)}
          >
            {escapeInvisible(option.name)}
            {hasKeys && index < 9 && <kbd className="key">{index + 1}</kbd>}
          </button>
        ))}
      </div>
      <div className="decision-more">
        {rejection && (
          <RejectWithFeedback
            isSending={isSending}
            onSend={(text) =>
              void attempt(() => rejectWithPrompt(view, { permissionId, rejection, text }))
            }
          />
        )}
        {once && (
          <AllowMore
            isDisabled={isSending}
            onAllow={(allowance) =>
              void attempt(() => allowForSession(view, { permissionId, once, allowance }))
            }
          />
        )}
      </div>
    </section>
  )
}

/** Everything that the call would do, whatever its title says. */
function CallDetails({ call }: { call: ToolCall }) {
  return (
    <>
      {call.workingDir !== undefined && (
        <p className="decision-place">
          {words.runningIn('')} <code dir="ltr">{escapeInvisible(call.workingDir)}</code>
        </p>
      )}
      <pre className="command" tabIndex={0}>
        {escapeInvisible(call.title)}
      </pre>
      {call.content.length > 0 && <ToolContent call={call} />}
      <Locations locations={hiddenLocations(call)} />
      <WholeInput call={call} />
    </>
  )
}

/** The agent's rejection together with a message about what to do instead. */
function RejectWithFeedback({
  isSending,
  onSend,
}: {
  isSending: boolean
  onSend: (text: string) => void
}) {
  const [text, setText] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (text.trim() !== '') onSend(text)
  }

  return (
    <Disclosure
      className="whole-input instead"
      summary={
        <>
          <Icon name="chevron" size={12} />
          {words.rejectWithPrompt}
        </>
      }
    >
      <form className="instead-form" onSubmit={submit}>
        <input
          className="field"
          aria-label={words.insteadLabel}
          placeholder={words.insteadPlaceholder}
          dir="auto"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button className="button reject" disabled={isSending || text.trim() === ''}>
          {words.rejectAndSend}
        </button>
      </form>
    </Disclosure>
  )
}

function actionOf({ kind }: ToolCall): string {
  const { actions } = words
  return Object.hasOwn(actions, kind) ? actions[kind as keyof typeof actions] : actions.other
}

/** The complete input of the tool. The title and the content are the agent's words and may omit something. */
function WholeInput({ call }: { call: ToolCall }) {
  const { rawInput } = call
  if (rawInput === undefined || rawInput === null) return null
  return (
    <Disclosure
      className="whole-input"
      isOpen={!isInputShown(call)}
      summary={
        <>
          <Icon name="chevron" size={12} />
          {words.wholeInput}
        </>
      }
    >
      <pre className="command" tabIndex={0}>
        {escapeInvisible(
          typeof rawInput === 'string' ? rawInput : JSON.stringify(rawInput, null, 2),
        )}
      </pre>
    </Disclosure>
  )
}

/** Allowing once is highlighted; options that last or reject are not. */
function lookOf({ kind }: PermissionOption): string {
  if (kind === 'allow_once') return 'primary'
  return kind.startsWith('reject') ? 'reject' : ''
}
