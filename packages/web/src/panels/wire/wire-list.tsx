// The list of messages. It follows the newest one while its reader is at the end.
import { CopyButton } from '../../shared/copy-button.js'
import { bytes } from '../../shared/sizes.js'
import { inPlainSight } from '@quayside/protocol'
import { useEffect, useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { duration } from '../../shared/times.js'
import { strings } from '../../strings.js'
import { inRuns, textOf, type WireEntry } from './wire-frames.js'

const words = strings.panels

/** A run that is folded, or one message. */
type Row = { readonly entry: WireEntry; readonly count: number; readonly isOpen: boolean }

const ARROWS = { in: '←', out: '→', stderr: '!' } as const
const AT_END_PX = 40

export function WireList({ entries }: { entries: readonly WireEntry[] }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const rows = useMemo(() => rowsOf(entries, { open, unfolded }), [entries, open, unfolded])
  const list = useRef<VListHandle>(null)
  const isAtEnd = useRef(true)

  useEffect(() => {
    if (isAtEnd.current) list.current?.scrollToIndex(rows.length - 1, { align: 'end' })
  }, [rows.length])

  function onScroll(offset: number) {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {}
    isAtEnd.current = offset + viewportSize >= scrollSize - AT_END_PX
  }

  return (
    <VList
      ref={list}
      className="wire-list code"
      data={rows}
      role="group"
      aria-label={words.wireList}
      tabIndex={0}
      onScroll={onScroll}
    >
      {({ entry, count, isOpen }) => (
        <div key={entry.id} className="wire-item">
          <button
            className="wire-row"
            data-direction={entry.frame.direction}
            data-kind={entry.kind}
            aria-expanded={isOpen}
            onClick={() =>
              count > 1
                ? setUnfolded(including(unfolded, entry.id))
                : setOpen(toggled(open, entry.id))
            }
          >
            <RowText entry={entry} count={count} />
          </button>
          {isOpen && <Message entry={entry} />}
        </div>
      )}
    </VList>
  )
}

function RowText({ entry, count }: { readonly entry: WireEntry; readonly count: number }) {
  const { frame, detail, tookMs, requestId } = entry
  return (
    <>
      <time className="wire-time">{timeOf(frame.at)}</time>
      <span className="wire-arrow" aria-hidden>
        {ARROWS[frame.direction]}
      </span>
      <span className="visually-hidden">{words.directionNames[frame.direction]}</span>
      <span className="wire-method">{inPlainSight(nameOf(entry))}</span>
      <span className="wire-detail">
        {[
          detail && inPlainSight(detail),
          // An answer is found by what it answers; its number says nothing more.
          tookMs !== undefined
            ? duration(tookMs)
            : requestId !== undefined && `#${inPlainSight(requestId)}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {count > 1 && <span className="wire-count">×{count}</span>}
      <span className="wire-size">{count > 1 ? '' : bytes(frame.bytes)}</span>
    </>
  )
}

function Message({ entry: { frame } }: { entry: WireEntry }) {
  const text = textOf(frame)
  return (
    <div className="wire-message">
      <div className="wire-message-head">
        {frame.cut && <span className="panel-note">{words.cut}</span>}
        <CopyButton text={text} className="panel-action" />
      </div>
      <pre tabIndex={0}>{inPlainSight(text)}</pre>
    </div>
  )
}

type Choices = { readonly open: ReadonlySet<number>; readonly unfolded: ReadonlySet<number> }

/** A run is known by its first message, so that it stays open while it grows. */
function rowsOf(entries: readonly WireEntry[], { open, unfolded }: Choices): Row[] {
  return inRuns(entries).flatMap((run) => {
    const [first] = run
    if (first && run.length > 1 && !unfolded.has(first.id))
      return [{ entry: first, count: run.length, isOpen: false }]
    return run.map((entry) => ({ entry, count: 1, isOpen: open.has(entry.id) }))
  })
}

function nameOf({ kind, method, frame }: WireEntry): string {
  if (kind === 'answer') return words.answerTo(method || words.unknownRequest)
  if (kind === 'error') return words.errorTo(method || words.unknownRequest)
  return method || textOf(frame).slice(0, 200)
}

function timeOf(at: number): string {
  const time = new Date(at)
  const clock = time.toLocaleTimeString('en-GB')
  return `${clock}.${String(time.getMilliseconds()).padStart(3, '0')}`
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : including(ids, id)
}

function including(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return new Set([...ids, id])
}
