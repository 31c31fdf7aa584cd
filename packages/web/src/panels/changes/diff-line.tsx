// One line of a review, in one column or in two.
import { escapeInvisible } from '@quayside/protocol'
import { memo, type PointerEvent } from 'react'
import { strings } from '../../strings/strings.js'
import { changedWords } from '../../code/changed-words.js'
import { colouredParts, type Colours, type ColouredPart } from './line-colours.js'
import type { PatchLine } from '../../code/patch-rows.js'
import type { LineRow } from './review-rows.js'

const words = strings.review

const MAX_LINE_CHARACTERS = 2_000

type DiffLineProps = {
  readonly row: LineRow
  readonly isSplit: boolean
  readonly colours: Colours | undefined
  readonly isSelected: boolean
  /** The last selected line, which has the comment button. */
  readonly isHead: boolean
  /** With `isMore`, the selection is extended to this line. */
  readonly onSelect: (row: LineRow, isMore: boolean) => void
  readonly onComment: () => void
}

export const DiffLine = memo(function DiffLine(props: DiffLineProps) {
  const { row, isSplit, colours, isSelected, isHead, onComment } = props
  const { left, right } = row
  const sides = isSplit ? [left, right] : [right ?? left]
  return (
    <div className="diff-row" data-selected={isSelected || undefined}>
      {sides.map((line, side) => (
        <div key={side} className="patch-line" data-sign={line?.sign ?? 'none'}>
          {line && <Numbered {...props} line={line} isOld={isSplit && side === 0} />}
          {line && (
            <span className="line-text">
              <LineText line={line} colours={colours} />
            </span>
          )}
        </div>
      ))}
      {isHead && (
        <button type="button" className="button comment-button" onClick={onComment}>
          {words.comment}
        </button>
      )}
    </div>
  )
})

type NumberedProps = DiffLineProps & { readonly line: PatchLine; readonly isOld: boolean }

function Numbered({ row, line, isOld, onSelect }: NumberedProps) {
  const { sign } = line
  const number = isOld ? (line.before ?? line.number) : line.number

  function press(event: PointerEvent<HTMLElement>) {
    // Moving a finger scrolls; moving a pressed mouse extends the selection.
    event.currentTarget.releasePointerCapture(event.pointerId)
    onSelect(row, event.shiftKey)
  }

  return (
    <>
      <button
        type="button"
        className="line-number"
        tabIndex={-1}
        aria-label={words.selectLine(number)}
        onPointerDown={press}
        onPointerEnter={({ buttons }) => buttons === 1 && onSelect(row, true)}
      >
        {number}
      </button>
      <span className="patch-sign">
        {sign}
        {sign !== ' ' && (
          <span className="visually-hidden">{sign === '+' ? words.added : words.removed}</span>
        )}
      </span>
    </>
  )
}

function LineText({ line, colours }: { line: PatchLine; colours: Colours | undefined }) {
  const { text, other } = line
  if (text.length > MAX_LINE_CHARACTERS)
    return (
      <>
        {escapeInvisible(text.slice(0, MAX_LINE_CHARACTERS))}
        <i>{strings.panels.moreCharacters(text.length - MAX_LINE_CHARACTERS)}</i>
      </>
    )
  const parts = other === undefined ? [{ text, isChanged: false }] : changedWords(text, other)
  return colouredParts(parts, colours?.get(line)).map((part, at) => <Part key={at} part={part} />)
}

function Part({ part: { text, isChanged, scope } }: { part: ColouredPart }) {
  const shown = escapeInvisible(text)
  const className = scope && `hl-${scope}`
  if (isChanged) return <mark className={className}>{shown}</mark>
  return className ? <span className={className}>{shown}</span> : shown
}
