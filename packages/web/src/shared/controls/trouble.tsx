// Placeholders for content that is loading or failed to load.
import { useLayoutEffect, useState, type ComponentType } from 'react'
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
 * A part that is drawn as soon as its script is loaded. React's lazy would draw it 300 ms after what is shown meanwhile,
 * because Suspense puts off content that follows a fallback. When the script cannot be loaded, the part says so and
 * offers a reload, because a browser may not ask for the same script again.
 */
export function inOwnScript<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile: ComponentType<Props> = Empty,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  const loadOnce = async () => {
    try {
      return (loaded ??= await load())
    } catch {
      return NotLoaded
    }
  }
  return function InOwnScript(props) {
    const [Part, setPart] = useState(() => loaded)
    useLayoutEffect(() => {
      if (!Part) void loadOnce().then((part) => setPart(() => part))
    }, [Part])
    return Part ? <Part {...props} /> : <Meanwhile {...props} />
  }
}

function Empty() {
  return null
}

function NotLoaded() {
  return <Trouble problem={strings.problems.pageNotLoaded} onRetry={() => location.reload()} />
}
