// Placeholders for content that is loading or failed to load.
import { lazy, type ComponentType } from 'react'
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

/**
 * A page in a script of its own. When the script cannot be loaded, the page says so and offers a reload, because a
 * browser may not ask for the same script again.
 */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch {
      return { default: NotLoaded as ComponentType<Props> }
    }
  })
}

function NotLoaded() {
  return <Trouble problem={strings.problems.pageNotLoaded} onRetry={() => location.reload()} />
}
