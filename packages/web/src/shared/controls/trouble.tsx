// Placeholders for content that is loading or failed to load.
import { strings } from '../../strings/strings.js'
import { Icon } from './icon.js'

export function Trouble({ problem, onRetry }: { problem: string; onRetry: () => void }) {
  return (
    <div className="trouble" role="alert">
      <Icon name="alert" />
      <span>{problem}</span>
      <button type="button" className="button" onClick={onRetry}>
        {strings.common.retry}
      </button>
    </div>
  )
}

/** Appears only when loading takes long enough to be noticed. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{strings.common.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  )
}
