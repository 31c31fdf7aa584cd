// The conversation. It follows the newest row only while the reader is at the end, and never moves otherwise.
import { useSession, useTimeline } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import { Icon } from '../shared/icon.js'
import { useStore } from '../shared/store.js'
import { EndKeeper } from './end-keeper.js'
import { ItemRow } from './item-row.js'

export function Timeline({ sessionId, agentName }: { sessionId: string; agentName: string }) {
  const { ids, hasOlder, loadOlder } = useTimeline(sessionId)
  const { is, activity } = useSession(sessionId)
  const [keeper] = useState(() => new EndKeeper())
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const isAtEnd = useStore(keeper.isAtEnd)

  useEffect(() => (scroller ? keeper.attach(scroller) : undefined), [keeper, scroller])

  return (
    <div className="timeline-area">
      {/* A focusable region, so that it can be scrolled with the keyboard. */}
      <div
        ref={setScroller}
        className="timeline"
        role="log"
        aria-label="Conversation"
        aria-live="off"
        aria-busy={activity === 'working'}
        tabIndex={0}
      >
        <div className="column timeline-items">
          {is === 'ready' && ids.length === 0 && (
            <p className="timeline-empty">{agentName} is ready. What should it do?</p>
          )}
          {hasOlder && (
            <button
              className="quiet-button"
              onClick={({ currentTarget }) =>
                void keeper.holdStill(currentTarget.nextElementSibling, loadOlder)
              }
            >
              Show earlier
            </button>
          )}
          {ids.map((id) => (
            <ItemRow key={id} sessionId={sessionId} id={id} />
          ))}
          {activity === 'working' && <Working agentName={agentName} />}
        </div>
      </div>
      {!isAtEnd && (
        <button className="jump" onClick={() => keeper.goToEnd()}>
          <Icon name="down" size={14} />
          Jump to latest
        </button>
      )}
    </div>
  )
}

function Working({ agentName }: { agentName: string }) {
  return (
    <p className="working-line">
      <i className="dot working pulse" />
      {agentName} is working
    </p>
  )
}
