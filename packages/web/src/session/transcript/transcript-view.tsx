// The transcript, with only the visible rows in the page. It follows new rows while it is scrolled to the end, and does
// not move otherwise.
import { useSession, useTimeline } from '@quayside/client/react'
import type { FoundPlace } from '@quayside/protocol'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { Icon } from '../../shared/controls/icon.js'
import { usePreferences } from '../../shared/preferences.js'
import { useStore } from '../../shared/store.js'
import { duration } from '../../shared/text/times.js'
import { strings } from '../../strings/strings.js'
import { FindBar } from './find-bar.js'
import { ItemRow } from '../rows/item-row.js'
import { isInRow, rowsOf, type Row } from './transcript-rows.js'
import { useSessionContext } from '../context/session-context.js'
import { ToolRun } from '../rows/tool-run.js'
import { usePromptKeys } from './use-prompt-keys.js'
import { useShift, useShownItems } from './use-pages.js'
import { useReadingLocation } from './use-reading-location.js'
import { useWatchedTurns } from './use-watched-turns.js'

const words = strings.session

/** Earlier rows are loaded before the reader reaches the first one. */
const EARLY_PX = 600
const TOP_PX = 44

export function TranscriptView() {
  const { sessionId, scrollAnchor } = useSessionContext()
  const { activity } = useSession(sessionId)
  const isAtEnd = useStore(scrollAnchor.isAtEnd)
  const unseen = useUnseen(sessionId, isAtEnd)
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!scroller.current || !content.current) return undefined
    return scrollAnchor.attach(scroller.current, content.current)
  }, [scrollAnchor])

  return (
    <div className="timeline-area">
      {/* A focusable region, so that it can be scrolled with the keyboard. */}
      <div
        ref={scroller}
        className="timeline"
        data-testid="timeline"
        role="log"
        aria-label={words.conversation}
        aria-live="off"
        aria-busy={activity === 'working'}
        tabIndex={0}
        onClickCapture={({ target }) => {
          if (target instanceof Element && target.closest('summary, button')) scrollAnchor.hold()
        }}
        onKeyDown={({ key, target, currentTarget }) => {
          if (key === 'End' && target === currentTarget) scrollAnchor.goToEnd()
        }}
      >
        <div ref={content} className="timeline-items">
          <Rows
            scroller={scroller}
            isAtEnd={isAtEnd}
            onResize={() => scrollAnchor.stay()}
            onFound={() => scrollAnchor.leave()}
          />
        </div>
      </div>
      {!isAtEnd && (
        <button
          type="button"
          className="jump"
          data-testid="jump-latest"
          onClick={() => {
            scrollAnchor.goToEnd()
            // The button disappears, so the focus moves on.
            scroller.current?.focus()
          }}
        >
          <Icon name="down" size={14} />
          {unseen > 0 ? words.newSteps(unseen) : words.jump}
        </button>
      )}
    </div>
  )
}

/** The number of items that arrived while the reader was further up. */
function useUnseen(sessionId: string, isAtEnd: boolean): number {
  const { ids } = useTimeline(sessionId)
  const last = ids.at(-1)
  const [seen, setSeen] = useState(last)
  if (isAtEnd && seen !== last) setSeen(last)
  return isAtEnd || seen === undefined ? 0 : ids.length - 1 - ids.lastIndexOf(seen)
}

type RowsProps = {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly isAtEnd: boolean
  readonly onResize: () => void
  /** Called when the reader moves to another row. */
  readonly onFound: () => void
}

function Rows({ scroller, isAtEnd, onResize, onFound }: RowsProps) {
  const { sessionId, agentName } = useSessionContext()
  const { ids, start, item, hasOlder, isPart, older, newer, loadAround } = useShownItems(isAtEnd)
  const [found, setFound] = useState<string>()
  const { is, activity, status } = useSession(sessionId)
  const isWorking = activity === 'working' && status === 'active'
  const { thoughts } = usePreferences()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const watched = useWatchedTurns({ ids, item, isAtEnd })
  const rows = useMemo(() => {
    const isSettled = (turnId: string) => !watched.has(turnId)
    const isOpened = (turnId: string) => opened.has(turnId)
    const isThought = (id: string) => item(id)?.type === 'thought'
    const shown = thoughts === 'hidden' ? ids.filter((id) => !isThought(id)) : ids
    return rowsOf(shown, { item, isSettled, isOpened })
  }, [ids, item, watched, opened, thoughts])
  const handle = useRef<VirtualizerHandle>(null)
  const isShifted = useShift({ ids, start, rows })
  const reading = useReadingLocation({
    ids,
    rows,
    item,
    handle,
    onOpenTurn: (turnId) => setOpened((before) => new Set(before).add(turnId)),
    loadOlder: hasOlder ? older.load : undefined,
    loadAround,
    onLeaveEnd: onFound,
  })

  usePromptKeys({ rows, item, handle, onLeaveEnd: onFound })

  function show(place: FoundPlace | undefined) {
    setFound(place?.itemId)
    if (place) reading.goTo({ id: place.itemId, seq: place.updatedSeq })
  }

  return (
    <>
      <FindBar rows={rows} scroller={scroller} onFound={show} />
      <div className="timeline-top">
        {hasOlder && (
          <button type="button" className="quiet-button" onClick={older.load}>
            {older.isLoading ? strings.common.loading : words.showEarlier}
          </button>
        )}
      </div>
      <Virtualizer
        ref={handle}
        scrollRef={scroller}
        startMargin={TOP_PX}
        shift={isShifted}
        data={rows}
        // A ResizeObserver on the container would run one frame later than the virtualizer's own.
        onResize={onResize}
        onScroll={(offset) => {
          if (offset < EARLY_PX && hasOlder && !isAtEnd) older.load()
          const { scrollSize = 0, viewportSize = 0 } = handle.current ?? {}
          if (isPart && scrollSize - offset - viewportSize < EARLY_PX) newer.load()
          reading.keep(offset)
        }}
      >
        {(row) => (
          <div
            key={row.key}
            className="row column"
            data-row={row.key}
            data-linked={reading.isLinked(row) || undefined}
            data-found={(found !== undefined && isInRow(row, found)) || undefined}
          >
            <TranscriptRow
              row={row}
              onToggle={(turnId) => setOpened((before) => toggled(before, turnId))}
            />
          </div>
        )}
      </Virtualizer>
      {isPart && (
        <button type="button" className="quiet-button" onClick={newer.load}>
          {newer.isLoading ? strings.common.loading : words.showLater}
        </button>
      )}
      {is === 'ready' && rows.length === 0 && !isWorking && (
        <p className="timeline-empty">
          {status === 'active' ? words.ready(agentName) : words.nothingYet}
        </p>
      )}
      {isWorking && !isPart && <Working agentName={agentName} />}
    </>
  )
}

type TranscriptRowProps = {
  readonly row: Row
  readonly onToggle: (turnId: string) => void
}

function TranscriptRow({ row, onToggle }: TranscriptRowProps) {
  if (row.type === 'item') return <ItemRow id={row.id} />
  if (row.type === 'tools') return <ToolRun ids={row.ids} />
  return (
    <button
      type="button"
      className="work"
      aria-expanded={row.isOpen}
      onClick={() => onToggle(row.turnId)}
    >
      <Icon name="chevron" size={14} />
      {words.workedFor(duration(row.durationMs), row.steps)}
    </button>
  )
}

function toggled(set: ReadonlySet<string>, entry: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(entry)) next.add(entry)
  return next
}

function Working({ agentName }: { agentName: string }) {
  return (
    <p className="working-line column">
      <i className="dot working pulse" />
      {words.working(agentName)}
    </p>
  )
}
