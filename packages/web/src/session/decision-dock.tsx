// The question an agent waits on, above the composer, with exactly the options the agent offers.
import { HubError } from '@quayside/client'
import type { SessionView } from '@quayside/client/react'
import type { PermissionItem, PermissionOption, ToolCall } from '@quayside/protocol'
import { useState } from 'react'
import { Disclosure } from '../shared/disclosure.js'
import { Icon } from '../shared/icon.js'
import { problemOf } from '../shared/problem.js'
import { inPlainSight } from './plain-sight.js'
import { ToolContent } from './tool-content.js'
import { useDecisionKeys } from './use-decision-keys.js'

type DecisionDockProps = {
  readonly view: SessionView
  readonly item: PermissionItem
  readonly agentName: string
}

export function DecisionDock({ view, item, agentName }: DecisionDockProps) {
  const permissionCount = view.permissions.length
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { toolCall, options, permissionId } = item

  async function answer({ optionId }: PermissionOption) {
    setSending(true)
    setProblem(undefined)
    try {
      await view.respond(permissionId, optionId)
    } catch (error) {
      // When someone else was faster, their answer is on its way as an event and closes this.
      const isLate = error instanceof HubError && error.code === 'permission_not_pending'
      if (!isLate) setProblem(problemOf(error))
      setSending(false)
    }
  }

  useDecisionKeys(options, (option) => void answer(option))

  return (
    <section className="decision" aria-label="Decision needed">
      <h2 className="decision-head">
        <Icon name="shield" />
        {agentName} wants to {wishOf(toolCall)}
        {permissionCount > 1 && <span className="decision-count">1 of {permissionCount}</span>}
      </h2>
      <div className="decision-body">
        <pre className="command">{inPlainSight(toolCall.title)}</pre>
        {toolCall.content.length > 0 && <ToolContent call={toolCall} />}
        <WholeInput call={toolCall} />
        {problem !== undefined && <p className="problem">{problem}</p>}
      </div>
      <div className="decision-options">
        {options.map((option, index) => (
          <button
            key={option.optionId}
            className={`button ${lookOf(option)}`}
            disabled={isSending}
            onClick={() => void answer(option)}
          >
            {option.name}
            <kbd className="key">{index + 1}</kbd>
          </button>
        ))}
      </div>
    </section>
  )
}

function wishOf({ kind }: ToolCall): string {
  switch (kind) {
    case 'execute':
      return 'run a command'
    case 'edit':
      return 'change a file'
    case 'delete':
      return 'delete something'
    case 'move':
      return 'move something'
    case 'read':
      return 'read something'
    case 'search':
      return 'search'
    case 'fetch':
      return 'fetch something from the network'
    default:
      return 'use a tool'
  }
}

/** A title is the agent's own summary and may leave something out: this is all that the tool is given. */
function WholeInput({ call: { rawInput, content, title } }: { call: ToolCall }) {
  if (typeof rawInput !== 'object' || rawInput === null) return null
  const isInTitle = stringsIn(rawInput).every((text) => title.includes(text))
  return (
    <Disclosure
      className="whole-input"
      isOpen={content.length === 0 && !isInTitle}
      summary={
        <>
          <Icon name="chevron" size={12} />
          Everything the tool is given
        </>
      }
    >
      <pre className="command">{inPlainSight(JSON.stringify(rawInput, null, 2))}</pre>
    </Disclosure>
  )
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}

function lookOf({ kind }: PermissionOption): string {
  if (kind === 'allow_once') return 'primary'
  return kind.startsWith('reject') ? 'reject' : ''
}
