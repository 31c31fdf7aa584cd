// The open decisions above the composer, one at a time, oldest first.
import { useTimeline, type SessionView } from '@quayside/client/react'
import { escapeInvisible } from '@quayside/protocol'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { RefObject } from 'react'
import { composerField, hasKeyboard, restoreFocus } from '../../shared/page-focus.js'
import { showToast } from '../../shared/controls/toasts.js'
import { permissionWords } from '../rows/answered.js'
import { useSessionContext } from '../context/session-context.js'
import { useActedHere } from '../context/acted-here.js'
import { PermissionForm } from './permission-form.js'
import { QuestionForm } from './question-form.js'

type DecisionDockProps = {
  readonly view: SessionView
  readonly agentName: string
  /** Only beside decisions of other sessions: changes when they move. Number keys are then off. */
  readonly listKey?: string
}

export function DecisionDock({ view, ...shared }: DecisionDockProps) {
  useAnsweredElsewhere(view)
  const [oldest] = [...view.permissions, ...view.questions].toSorted((a, b) => a.seq - b.seq)
  const dock = useReturnedFocus(oldest?.id)
  return (
    <div ref={dock} className="decisions">
      {oldest?.type === 'permission' && (
        <PermissionForm {...shared} view={view} key={oldest.id} item={oldest} />
      )}
      {oldest?.type === 'question' && (
        <QuestionForm {...shared} view={view} key={oldest.id} item={oldest} />
      )}
    </div>
  )
}

/** After a decision, moves the focus to the next decision, or back to where it was. */
function useReturnedFocus(decisionId: string | undefined): RefObject<HTMLDivElement | null> {
  const dock = useRef<HTMLDivElement>(null)
  const before = useRef<HTMLElement | null>(null)
  const isInside = useRef(false)

  useEffect(() => {
    const onFocus = ({ target, relatedTarget }: FocusEvent) => {
      const isNowInside = target instanceof Node && dock.current?.contains(target) === true
      if (isNowInside && !isInside.current && relatedTarget instanceof HTMLElement)
        before.current = relatedTarget
      isInside.current = isNowInside
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])

  const goOn = useEffectEvent((next: string | undefined) => {
    if (!isInside.current) return
    isInside.current = false
    const target =
      next === undefined ? () => returnTarget(before.current) : () => decisionIn(dock.current)
    restoreFocus(target)
  })
  useEffect(() => goOn(decisionId), [decisionId])

  return dock
}

function decisionIn(dock: HTMLElement | null): HTMLElement | null | undefined {
  return dock?.querySelector<HTMLElement>('.decision')
}

function returnTarget(before: HTMLElement | null): HTMLElement | null {
  if (!hasKeyboard()) return null
  return before?.isConnected ? before : composerField()
}

/** Shows a toast when another device has answered a permission, because its form disappears. */
function useAnsweredElsewhere({ permissions }: SessionView): void {
  const { sessionId } = useSessionContext()
  const { item } = useTimeline(sessionId)
  const isMe = useActedHere()
  const open = useRef<readonly string[]>([])

  const report = useEffectEvent((now: SessionView['permissions']) => {
    for (const id of open.current) {
      const answered = item(id)
      if (answered?.type !== 'permission' || answered.reason !== 'answered') continue
      if (!isMe(answered.by))
        showToast({ text: permissionWords(answered, escapeInvisible(answered.by ?? '')).text })
    }
    open.current = now.map(({ id }) => id)
  })
  useEffect(() => report(permissions), [permissions])
}
