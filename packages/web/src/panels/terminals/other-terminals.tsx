// The terminals in other work trees of the repository, by the session that they belong to.
import type { Terminal } from '@quayside/client'
import { useSessions } from '@quayside/client/react'
import { ALL_SESSIONS } from '../../sessions/session-queries.js'
import { shown } from '../../shared/controls/path-text.js'
import { strings } from '../../strings/strings.js'

const words = strings.panels

type OtherTerminalsProps = {
  readonly terminals: readonly Terminal[]
  readonly chosen: string | undefined
  readonly onChoose: (terminalId: string) => void
}

export function OtherTerminals({ terminals, chosen, onChoose }: OtherTerminalsProps) {
  const { sessions } = useSessions(ALL_SESSIONS)
  if (terminals.length === 0) return null
  const isChosen = terminals.some(({ id }) => id === chosen)
  const placeOf = ({ sessionId, cwd }: Terminal) =>
    sessions.find(({ id }) => id === sessionId)?.title ?? cwd
  return (
    <select
      className="panel-select"
      aria-label={words.otherTerminals}
      value={isChosen ? chosen : ''}
      onChange={({ target }) => onChoose(target.value)}
    >
      {!isChosen && <option value="">{words.otherTerminals}</option>}
      {terminals.map((terminal) => (
        <option key={terminal.id} value={terminal.id}>
          {shown(`${terminal.label} · ${placeOf(terminal)}`)}
        </option>
      ))}
    </select>
  )
}
