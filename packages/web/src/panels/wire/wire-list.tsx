// The wire list. It follows the newest message while it is scrolled to the end.
import { escapeInvisible } from '@quayside/protocol'
import { useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { locale } from '../../shared/text/language.js'
import { bytes } from '../../shared/text/sizes.js'
import { duration } from '../../shared/text/times.js'
import { strings } from '../../strings/strings.js'
import { useListEnd } from './use-list-end.js'
import { inRuns, textOf, type WireEntry } from './wire-frames.js'
import { WireMessage } from './wire-message.js'

const words = strings.panels

/** A folded run, or one message. */
type Row = { readonly entry: WireEntry; readonly count: number; readonly isOpen: boolean }

const ARROWS = { in: '←', out: '→', stderr: '!' } as const

const clock = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

type WireListProps = { readonly sessionId: string; readonly entries: readonly WireEntry[] }

export function WireList({ sessionId, entries }: WireListProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const rows = useMemo(() => rowsOf(entries, { open, unfolded }), [entries, open, unfolded])
  const answers = useMemo(() => answersOf(entries), [entries])
  const list = useRef<VListHandle>(null)
  const { leave, ...listEvents } = useListEnd(list, rows.length)

  /** Requests and responses are never in a run. */
  function goTo({ id }: WireEntry) {
    leave()
    setOpen(including(open, id))
    const at = rows.findIndex(({ entry }) => entry.id === id)
    list.current?.scrollToIndex(at, { align: 'center' })
  }

  return (
    <VList
      ref={list}
      className="wire-list code"
      data={rows}
      role="group"
      aria-label={words.wireList}
      tabIndex={0}
      {...listEvents}
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
            <RowText entry={entry} count={count} answer={answers.get(entry.id)} />
          </button>
          {isOpen && (
            <WireMessage
              sessionId={sessionId}
              entry={entry}
              request={entries.find(({ id }) => id === entry.answers)}
              answer={answers.get(entry.id)}
              onGoTo={goTo}
            />
          )}
        </div>
      )}
    </VList>
  )
}

type RowTextProps = {
  readonly entry: WireEntry
  readonly count: number
  readonly answer: WireEntry | undefined
}

function RowText({ entry, count, answer }: RowTextProps) {
  const { frame } = entry
  const faults = frame.faults?.length ?? 0
  return (
    <>
      <time className="wire-time">{clock.format(frame.at)}</time>
      <span className="wire-arrow" aria-hidden>
        {ARROWS[frame.direction]}
      </span>
      <span className="visually-hidden">{words.directionNames[frame.direction]}</span>
      <span className="wire-method">{escapeInvisible(nameOf(entry))}</span>
      <span className="wire-detail">{detailOf(entry, answer)}</span>
      {faults > 0 && <span className="wire-faults">{words.faults(faults)}</span>}
      {count > 1 && <span className="wire-count">×{count}</span>}
      <span className="wire-size">{count > 1 ? '' : bytes(frame.bytes)}</span>
    </>
  )
}

function detailOf({ detail, tookMs, requestId }: WireEntry, answer: WireEntry | undefined): string {
  const parts = [
    detail && escapeInvisible(detail),
    // A response is shown with its request; its own id adds nothing.
    tookMs !== undefined
      ? duration(tookMs)
      : requestId !== undefined && `#${escapeInvisible(requestId)}`,
    answer?.tookMs !== undefined && words.answered(duration(answer.tookMs)),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** The response to each request, by the id of the request's entry. */
function answersOf(entries: readonly WireEntry[]): ReadonlyMap<number, WireEntry> {
  return new Map(
    entries.flatMap((entry) => (entry.answers === undefined ? [] : [[entry.answers, entry]])),
  )
}

type Choices = { readonly open: ReadonlySet<number>; readonly unfolded: ReadonlySet<number> }

/** A run is identified by its first message, so that it stays open while it grows. */
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

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : including(ids, id)
}

function including(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return new Set([...ids, id])
}
