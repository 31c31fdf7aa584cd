// The first line of a decision: who asks, how many wait, and since when.
import type { SessionView } from '@quayside/client/react'
import type { PermissionItem, QuestionItem } from '@quayside/protocol'
import type { ReactNode } from 'react'
import { Waited } from '../../shared/waited.js'
import { strings } from '../../strings/strings.js'

type DecisionHeadProps = {
  readonly view: SessionView
  readonly item: PermissionItem | QuestionItem
  readonly children: ReactNode
}

export function DecisionHead({ view, item, children }: DecisionHeadProps) {
  const waiting = view.permissions.length + view.questions.length
  return (
    <h2 className="decision-head">
      <span className="decision-asker">{children}</span>
      {waiting > 1 && <span className="decision-count">{strings.session.oneOf(waiting)}</span>}
      <span className="decision-age">
        <Waited since={item.at} expiresAt={item.expiresAt} />
      </span>
    </h2>
  )
}
