// Marks a text in the rendered rows by the CSS Custom Highlight API, which leaves the page's elements as they are, and brings the
// current match into view. Folded content of the current item is unfolded for that.
import { wantedPattern } from '@quayside/protocol'
import { useEffect } from 'react'
import type { RefObject } from 'react'

export type CurrentMatch = {
  readonly itemId: string
  readonly rowKey: string
  /** 0 is the last match in the item. */
  readonly fromEnd: number
}

type Marks = {
  readonly scroller: RefObject<HTMLElement | null>
  /** Empty for none. */
  readonly wanted: string
  readonly current: CurrentMatch | undefined
}

const ALL = 'found'
const CURRENT = 'found-current'
const MAX_MARKS = 2_000
/** A group of calls, a call, and a part of it. */
const MAX_UNFOLDED = 3
const BLOCKS = 'p, li, pre, td, th, h1, h2, h3, h4, h5, h6, summary, button, div'
const EDGE_PX = 60

export function useFoundMarks({ scroller, wanted, current }: Marks): void {
  const { itemId = '', rowKey = '', fromEnd = 0 } = current ?? {}
  useEffect(() => {
    const pattern = wantedPattern(wanted)
    if (!scroller.current || !pattern) return undefined
    return keepMarked(scroller.current, pattern, { itemId, rowKey, fromEnd })
  }, [scroller, wanted, itemId, rowKey, fromEnd])
}

/** Marks the rows again whenever they change. Returns a function that removes the marks. */
function keepMarked(area: HTMLElement, pattern: RegExp, current: CurrentMatch): () => void {
  let mayUnfold = MAX_UNFOLDED
  let isInView = false
  let frame = 0

  function paint() {
    frame = 0
    mark(ALL, rangesIn(area, pattern))
    const item = findCurrent(area, current)
    const ranges = item ? rangesIn(item, pattern) : []
    const range = ranges.at(-1 - current.fromEnd) ?? ranges[0]
    mark(CURRENT, range ? [range] : [])
    if (range) isInView ||= bringIntoView(area, range)
    else if (mayUnfold > 0) {
      mayUnfold -= 1
      item?.querySelector<HTMLElement>('details:not([open]) > summary')?.click()
    }
  }

  const later = () => (frame ||= requestAnimationFrame(paint))
  const changes = new MutationObserver(later)
  changes.observe(area, { childList: true, subtree: true, characterData: true })
  later()
  return () => {
    changes.disconnect()
    cancelAnimationFrame(frame)
    mark(ALL, [])
    mark(CURRENT, [])
  }
}

/** The card of a tool call, or the row. */
function findCurrent(area: HTMLElement, { itemId, rowKey }: CurrentMatch): Element | null {
  const row = area.querySelector(`[data-row="${CSS.escape(rowKey)}"]`)
  return row?.querySelector(`[data-item="${CSS.escape(itemId)}"]`) ?? row
}

/** In a browser without highlights only the row is marked. */
function mark(name: string, ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return
  if (ranges.length === 0) CSS.highlights.delete(name)
  else CSS.highlights.set(name, new Highlight(...ranges))
}

/** Matches may span elements, such as the words of code, but not paragraphs. */
function rangesIn(area: Element, pattern: RegExp): Range[] {
  const ranges: Range[] = []
  for (const nodes of blocksOf(area)) {
    const text = nodes.map(({ data }) => data).join('')
    for (const { 0: match, index } of text.matchAll(pattern)) {
      if (ranges.length >= MAX_MARKS) return ranges
      const range = new Range()
      range.setStart(...locate(nodes, index))
      range.setEnd(...locate(nodes, index + match.length))
      ranges.push(range)
    }
  }
  return ranges
}

function blocksOf(area: Element): Text[][] {
  const blocks: Text[][] = []
  let last: Element | null | undefined
  const walker = document.createTreeWalker(area, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    const parent = node.parentElement
    if (parent?.closest('.find, .row-actions, .visually-hidden')) continue
    const block = parent?.closest(BLOCKS)
    if (block === last) blocks.at(-1)?.push(node)
    else blocks.push([node])
    last = block
  }
  return blocks
}

function locate(nodes: readonly Text[], at: number): [Text, number] {
  let rest = at
  for (const node of nodes) {
    if (rest <= node.length) return [node, rest]
    rest -= node.length
  }
  const last = nodes.at(-1) as Text
  return [last, last.length]
}

/** The row was scrolled to already; a match in a long one may still be outside. */
function bringIntoView(area: HTMLElement, range: Range): boolean {
  const { top, bottom } = range.getBoundingClientRect()
  const frame = area.getBoundingClientRect()
  const isInside = top > frame.top + EDGE_PX && bottom < frame.bottom - EDGE_PX
  if (!isInside) area.scrollTop += top - (frame.top + frame.height / 2)
  return isInside
}
