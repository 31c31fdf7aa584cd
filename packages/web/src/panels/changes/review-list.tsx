// All changed files of a review in one list. Only visible rows are drawn and loaded.
import type { FileChange } from '@quayside/client'
import { escapeInvisible } from '@quayside/protocol'
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react'
import { VList, type VListHandle } from 'virtua'
import { locationOfComment } from '../../drafts/line-comments.js'
import { Icon } from '../../shared/controls/icon.js'
import { bytes } from '../../shared/text/sizes.js'
import { strings } from '../../strings/strings.js'
import { CommentForm } from './comment-form.js'
import { DiffLine } from './diff-line.js'
import { commentOn } from './line-selection.js'
import { ReviewHead } from './review-head.js'
import type { ReviewRow } from './review-rows.js'
import { readOf, type Patches } from './patches.js'
import { changedLines, type Review } from './use-review.js'

const words = strings.review

/** Scrolls to a row. */
export type ReviewHandle = {
  readonly show: (key: string, align: 'start' | 'nearest') => void
  /** The topmost visible file. */
  readonly topFile: () => FileChange | undefined
}

type ReviewListProps = {
  readonly review: Review
  readonly patches: Patches
  readonly isSplit: boolean
  readonly onOpen: (file: FileChange) => void
  readonly handle: Ref<ReviewHandle>
}

export function ReviewList(props: ReviewListProps) {
  const { review, handle } = props
  const { rows } = review
  const list = useRef<VListHandle>(null)
  const [stuck, setStuck] = useState<string>()

  function topRow(offset: number): ReviewRow | undefined {
    return rows[list.current?.findItemIndex(offset) ?? 0]
  }

  useImperativeHandle(handle, () => ({
    show: (key, align) => {
      const at = rows.findIndex((row) => row.key === key)
      if (at < 0) return
      // The sticky header of the file covers the first row.
      const offset = rows[at]?.is === 'file' ? 0 : -40
      list.current?.scrollToIndex(at, { align, ...(align === 'start' && { offset }) })
    },
    topFile: () => topRow(list.current?.scrollOffset ?? 0)?.file,
  }))

  function onScroll(offset: number) {
    const row = topRow(offset)
    setStuck(row && offset > 0 ? row.file.path : undefined)
  }

  const head = rows.find((row) => row.is === 'file' && row.file.path === stuck)
  return (
    <div className="review">
      {head?.is === 'file' && (
        <div className="review-stuck">
          <Head {...props} row={head} />
        </div>
      )}
      <VList
        ref={list}
        className="patch code"
        data={rows}
        itemSize={20}
        role="group"
        aria-label={words.lines}
        tabIndex={0}
        data-takes-keys
        onScroll={onScroll}
      >
        {(row) => <Row key={row.key} {...props} row={row} />}
      </VList>
    </div>
  )
}

type RowProps = Omit<ReviewListProps, 'handle'> & { readonly row: ReviewRow }

function Row({ row, ...props }: RowProps) {
  const { review, patches, isSplit } = props
  const { file } = row
  switch (row.is) {
    case 'file':
      return <Head {...props} row={row} />
    case 'line':
      return (
        <DiffLine
          row={row}
          isSplit={isSplit}
          colours={readOf(review.reads, file)?.colours}
          isSelected={review.selected.includes(row)}
          isHead={review.selection?.head === row.key && review.commenting === undefined}
          onSelect={review.select}
          onComment={review.comment}
        />
      )
    case 'gap':
      return <Gap {...props} row={row} />
    case 'unread':
      return <Unread file={file} patches={patches} />
    case 'comment':
      return <Comment {...props} row={row} />
    case 'form':
      return <Form review={review} />
    default:
      return <ReviewNote {...props} row={row} />
  }
}

type OneRow<Is extends ReviewRow['is']> = Omit<RowProps, 'row'> & {
  readonly row: Extract<ReviewRow, { readonly is: Is }>
}

function Head({ review, row: { file, isFolded }, onOpen }: OneRow<'file'>) {
  return (
    <ReviewHead
      file={file}
      isFolded={isFolded}
      isViewed={review.isViewed(file)}
      onFold={review.fold}
      onViewed={review.view}
      onOpen={onOpen}
    />
  )
}

function Gap({ review, row: { file, gap } }: OneRow<'gap'>) {
  const { from, to, text } = gap
  return (
    <div className="patch-gap">
      <button type="button" onClick={() => void review.showLeftOut(file, from)}>
        <Icon name="more" size={14} />
        {to === undefined ? words.leftOutToEnd : words.leftOut(to - from + 1)}
      </button>
      <span>{escapeInvisible(text)}</span>
    </div>
  )
}

/** Loads the patch when it becomes visible. */
function Unread({ file, patches }: { readonly file: FileChange; readonly patches: Patches }) {
  useEffect(() => patches.load(file), [patches, file])
  return <p className="patch-note">{strings.common.loading}</p>
}

/** A note instead of lines. */
function ReviewNote({ patches, row }: OneRow<'note' | 'large' | 'loading'>) {
  const { file } = row
  if (row.is === 'loading')
    return (
      <p className="patch-note">
        {strings.common.loading}
        <button className="panel-action" onClick={() => patches.cancel(file)}>
          {strings.common.cancel}
        </button>
      </p>
    )
  const canLoad = row.is === 'large' || row.canRetry
  return (
    <p className="patch-note">
      {row.is === 'large' ? sizeText(row) : escapeInvisible(row.text)}
      {canLoad && (
        <button className="panel-action" onClick={() => patches.load(file, row.is === 'large')}>
          {row.is === 'large' ? words.load : strings.common.retry}
        </button>
      )}
    </p>
  )
}

function sizeText({ file, characters }: OneRow<'large'>['row']): string {
  return characters === undefined
    ? words.largeDiff(changedLines(file))
    : words.largePatch(bytes(characters))
}

function Comment({ review, row: { comment } }: OneRow<'comment'>) {
  return (
    <div className="review-comment">
      <p dir="auto">{escapeInvisible(comment.text)}</p>
      <span className="panel-note">{words.goesWithMessage}</span>
      <button
        type="button"
        className="panel-button"
        aria-label={words.removeComment(escapeInvisible(locationOfComment(comment)))}
        onClick={() => review.removeComment(comment.id)}
      >
        <Icon name="cross" size={14} />
      </button>
    </div>
  )
}

function Form({ review }: { review: Review }) {
  const about = commentOn(review.selected, '')
  if (!about) return null
  return (
    <CommentForm
      location={escapeInvisible(locationOfComment(about))}
      onAdd={review.addComment}
      onCancel={review.leaveComment}
    />
  )
}
