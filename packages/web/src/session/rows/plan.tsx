// The agent's plan: a card in the transcript, and a line above the composer while it is in progress.
import { asPlainText, type PlanEntry } from '@quayside/protocol'
import { Disclosure } from '../../shared/controls/disclosure.js'
import { Icon, type IconName } from '../../shared/controls/icon.js'
import { strings } from '../../strings/strings.js'

const words = strings.session

type PlanProps = { readonly entries: readonly PlanEntry[] }

/** When its turn is over, no step is in progress any more. */
export function PlanCard({ entries, isOver }: PlanProps & { readonly isOver: boolean }) {
  return (
    <section className="card plan" aria-label={words.plan} data-testid="plan">
      <div className="card-head">
        <Icon name="plan" />
        <b>{words.plan}</b>
        <span className="card-status">{words.planProgress(doneOf(entries), entries.length)}</span>
      </div>
      <Steps entries={isOver ? entries.map(stopped) : entries} />
    </section>
  )
}

export function PlanLine({ entries }: PlanProps) {
  const current = entries.findIndex(({ status }) => status === 'in_progress')
  const next = current >= 0 ? current : entries.findIndex(({ status }) => status !== 'completed')
  const entry = entries[next]
  return (
    <Disclosure
      className="plan-line"
      summary={
        <>
          <Icon name="plan" size={14} />
          <b>{entry ? words.planStep(next + 1, entries.length) : words.planDone(entries.length)}</b>
          <span className="plan-now" dir="auto">
            {entry && asPlainText(entry.content)}
          </span>
          <Icon name="chevron" size={12} />
        </>
      }
    >
      <div className="plan">
        <Steps entries={entries} />
      </div>
    </Disclosure>
  )
}

function Steps({ entries }: PlanProps) {
  return (
    <ul>
      {entries.map((entry, index) => {
        const { icon, label } = lookOf(entry)
        return (
          // A plan is replaced as a whole, so the index is a stable key.
          <li key={index} data-status={entry.status ?? 'pending'}>
            <Icon name={icon} size={15} />
            <span dir="auto">{asPlainText(entry.content)}</span>
            <span className="visually-hidden">{label}</span>
            {entry.priority === 'high' && <span className="tag">{words.highPriority}</span>}
          </li>
        )
      })}
    </ul>
  )
}

function stopped(entry: PlanEntry): PlanEntry {
  return entry.status === 'in_progress' ? { ...entry, status: 'pending' } : entry
}

function doneOf(entries: readonly PlanEntry[]): number {
  return entries.filter(({ status }) => status === 'completed').length
}

function lookOf({ status }: PlanEntry): { icon: IconName; label: string } {
  switch (status) {
    case 'completed':
      return { icon: 'checkCircle', label: words.done }
    case 'in_progress':
      return { icon: 'spinner', label: words.inProgress }
    default:
      return { icon: 'circle', label: words.toDo }
  }
}
