// What an agent waits for, above the composer whatever is scrolled: one question at a time, the oldest first.
import type { SessionView } from '@quayside/client/react'
import { PermissionForm } from './permission-form.js'
import { QuestionForm } from './question-form.js'

export function DecisionDock({ view, agentName }: { view: SessionView; agentName: string }) {
  const [oldest] = [...view.permissions, ...view.questions].toSorted((a, b) => a.seq - b.seq)
  if (oldest === undefined) return null
  const shared = { view, agentName }
  return oldest.type === 'permission' ? (
    <PermissionForm {...shared} key={oldest.id} item={oldest} />
  ) : (
    <QuestionForm {...shared} key={oldest.id} item={oldest} />
  )
}
