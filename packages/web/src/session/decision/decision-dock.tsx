// What an agent waits for, above the composer whatever is scrolled: one question at a time, the oldest first.
import { useTimeline, type SessionView } from '@quayside/client/react'
import { inPlainSight } from '@quayside/protocol'
import { useEffect, useEffectEvent, useRef } from 'react'
import { say } from '../../shared/toasts.js'
import { permissionWords } from '../answered.js'
import { useSessionPlace } from '../session-context.js'
import { useIsMe } from '../who.js'
import { PermissionForm } from './permission-form.js'
import { QuestionForm } from './question-form.js'

export function DecisionDock({ view, agentName }: { view: SessionView; agentName: string }) {
  useAnsweredElsewhere(view)
  const [oldest] = [...view.permissions, ...view.questions].toSorted((a, b) => a.seq - b.seq)
  if (oldest === undefined) return null
  const shared = { view, agentName }
  return oldest.type === 'permission' ? (
    <PermissionForm {...shared} key={oldest.id} item={oldest} />
  ) : (
    <QuestionForm {...shared} key={oldest.id} item={oldest} />
  )
}

/** The question closes by itself then, and whoever looked at it is told why. */
function useAnsweredElsewhere({ permissions }: SessionView): void {
  const { sessionId } = useSessionPlace()
  const { item } = useTimeline(sessionId)
  const isMe = useIsMe()
  const open = useRef<readonly string[]>([])

  const look = useEffectEvent((now: SessionView['permissions']) => {
    for (const id of open.current) {
      const answered = item(id)
      if (answered?.type !== 'permission' || answered.reason !== 'answered') continue
      if (!isMe(answered.by))
        say({ text: permissionWords(answered, inPlainSight(answered.by ?? '')).said })
    }
    open.current = now.map(({ id }) => id)
  })
  useEffect(() => look(permissions), [permissions])
}
