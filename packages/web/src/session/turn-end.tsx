// The end of a turn in words: how long it took, and why it stopped when that was not simply its end.
import type { TurnEndItem } from '@quayside/protocol'
import { Icon } from '../shared/icon.js'
import { duration } from '../shared/times.js'

export function TurnEnd({ item }: { item: TurnEndItem }) {
  const { error, durationMs } = item
  if (error) {
    return (
      <div className="failure" role="alert">
        <Icon name="alert" />
        <div>
          <b>{error.message}</b>
          <Said details={error.details} />
        </div>
      </div>
    )
  }
  const took = durationMs !== undefined && durationMs >= 100 ? duration(durationMs) : undefined
  const words = [reasonOf(item), took].filter((part) => part !== undefined)
  return <p className="turn-end">{words.join(' · ')}</p>
}

function reasonOf({ stopReason, empty }: TurnEndItem): string | undefined {
  switch (stopReason) {
    case 'cancelled':
      return 'Stopped'
    case 'max_tokens':
      return 'The model ran out of room'
    case 'max_turn_requests':
      return 'The agent reached its step limit'
    case 'refusal':
      return 'The agent declined'
    default:
      return empty ? 'The agent ended without an answer' : undefined
  }
}

/** What the agent itself said about its failure. */
function Said({ details }: { details: Readonly<Record<string, unknown>> | undefined }) {
  const said = details?.['acp'] ?? details?.['stderrTail']
  if (said === undefined) return null
  return (
    <pre className="output">{typeof said === 'string' ? said : JSON.stringify(said, null, 2)}</pre>
  )
}
