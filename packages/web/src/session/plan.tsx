// The agent's plan, as a list that is checked off while it works.
import type { PlanEntry } from '@quayside/protocol'
import { Icon } from '../shared/icon.js'
import type { IconName } from '../shared/icon.js'

export function Plan({ entries }: { entries: readonly PlanEntry[] }) {
  const done = entries.filter(({ status }) => status === 'completed').length
  return (
    <section className="card plan" aria-label="Plan">
      <div className="card-head">
        <Icon name="plan" />
        <b>Plan</b>
        <span className="card-status">{`${done} of ${entries.length}`}</span>
      </div>
      <ul>
        {entries.map((entry, index) => {
          const { icon, words } = lookOf(entry)
          return (
            // Plans are replaced as a whole, so an entry is its place.
            <li key={index} data-status={entry.status ?? 'pending'}>
              <Icon name={icon} size={15} />
              <span dir="auto">{entry.content}</span>
              <span className="visually-hidden">{words}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function lookOf({ status }: PlanEntry): { icon: IconName; words: string } {
  switch (status) {
    case 'completed':
      return { icon: 'checkCircle', words: '(done)' }
    case 'in_progress':
      return { icon: 'spinner', words: '(in progress)' }
    default:
      return { icon: 'circle', words: '(to do)' }
  }
}
