// The diff of one file, with the changed words marked. Long diffs show their beginning first.
import { escapeInvisible, type DiffContent } from '@quayside/protocol'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { VList } from 'virtua'
import type { LinePart } from '../../code/changed-words.js'
import { diffOf, type EntryDiff, type LineCount, type WholeText } from '../../code/entry-diff.js'
import { patchRows, type PatchGap, type PatchLine } from '../../code/patch-rows.js'
import { CopyIcon } from '../../shared/controls/copy-button.js'
import { Download } from '../../shared/controls/download.js'
import { LineCounts } from '../../shared/controls/line-counts.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings/strings.js'
import { FilePath } from './file-path.js'

const words = strings.session

const FIRST_LINES = 16
/** A diff with more changed lines or characters is shown only on request. */
const LARGE_LINES = 1_500
const LARGE_CHARS = 150_000
/** Of a longer list, only visible lines are drawn. */
const MAX_DRAWN_LINES = 500

export function Diff({ entry }: { entry: DiffContent }) {
  const diff = diffOf(entry)
  const { patch, counts } = diff
  return (
    <figure className="diff mono">
      <figcaption className="diff-path">
        <FilePath path={entry.path} />
        {counts && <LineCounts {...counts} />}
        <CopyIcon text={entry.path} label={words.copyPath} />
      </figcaption>
      {patch && counts ? (
        <Patch patch={patch} counts={counts} diff={diff} />
      ) : (
        <TooLarge diff={diff} />
      )}
    </figure>
  )
}

/** A decision without the lines: both whole texts can be read elsewhere. */
function TooLarge({ diff: { counts, oldText, newText } }: { diff: EntryDiff }) {
  return (
    <p className="output-note">
      {counts ? words.tooLargeToShow(counts.added, counts.removed) : words.editTooLarge}{' '}
      {oldText && (
        <Download of={oldText} className="output-download">
          {words.downloadOldText}
        </Download>
      )}{' '}
      {newText && (
        <Download of={newText} className="output-download">
          {words.downloadNewText}
        </Download>
      )}
    </p>
  )
}

type PatchProps = {
  readonly patch: WholeText
  readonly counts: LineCount
  readonly diff: EntryDiff
}

function Patch({ patch, counts, diff }: PatchProps) {
  const changed = counts.added + counts.removed
  const [isAsked, setAsked] = useState(changed <= LARGE_LINES)
  if (!isAsked) return <LoadButton lines={changed} onLoad={() => setAsked(true)} />
  return 'text' in patch ? (
    <PatchText text={patch.text} lines={changed} />
  ) : (
    <LoadedPatch media={patch.media} lines={changed} diff={diff} />
  )
}

function LoadButton({ lines, onLoad }: { lines: number; onLoad: () => void }) {
  return (
    <button type="button" className="diff-more" onClick={onLoad}>
      {words.largeDiff(lines)}
    </button>
  )
}

type LoadedPatchProps = {
  readonly media: string
  readonly lines: number
  readonly diff: EntryDiff
}

function LoadedPatch({ media, lines, diff }: LoadedPatchProps) {
  const load = useCallback((signal: AbortSignal) => readMedia(media, signal), [media])
  const { value, problem, reload } = useLoaded(load)
  if (value !== undefined) return <PatchText text={value} lines={lines} />
  if (problem === undefined)
    return (
      <p className="output-note" role="status">
        {strings.common.loading}
      </p>
    )
  return (
    <>
      <p className="output-note">
        {problem}{' '}
        <button type="button" className="quiet-button" onClick={reload}>
          {strings.common.retry}
        </button>
      </p>
      <TooLarge diff={diff} />
    </>
  )
}

async function readMedia(media: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(media, { signal })
  if (!response.ok) throw new Error(words.diffNotLoaded)
  return response.text()
}

/** `lines`: the number of changed ones. */
export function PatchText({ text, lines }: { text: string; lines: number }) {
  // Few lines with very many characters: a minified file.
  const [isAsked, setAsked] = useState(lines > LARGE_LINES || text.length <= LARGE_CHARS)
  return isAsked ? (
    <DiffBody patch={text} />
  ) : (
    <LoadButton lines={lines} onLoad={() => setAsked(true)} />
  )
}

type Row = PatchLine | PatchGap

function DiffBody({ patch }: { patch: string }) {
  const rows = useMemo(() => patchRows(patch).filter(isShown), [patch])
  const [isWhole, setWhole] = useState(false)
  const partsOf = useWords()
  if (rows.length === 0) return <p className="output-note">{words.noChange}</p>
  const draw = (row: Row) => <DiffRow key={keyOf(row)} row={row} partsOf={partsOf} />
  if (isWhole && rows.length > MAX_DRAWN_LINES)
    return (
      <div className="diff-long">
        <VList data={rows} itemSize={20} {...GROUP}>
          {draw}
        </VList>
      </div>
    )
  const lines = rows.reduce((sum, { is }) => sum + (is === 'line' ? 1 : 0), 0)
  return (
    <>
      <div className="diff-lines" {...GROUP}>
        <div className="diff-table">{(isWhole ? rows : firstLines(rows)).map(draw)}</div>
      </div>
      {!isWhole && lines > FIRST_LINES && (
        <button type="button" className="diff-more" onClick={() => setWhole(true)}>
          {words.showAllLines(lines)}
        </button>
      )}
    </>
  )
}

const GROUP = { tabIndex: 0, role: 'group', 'aria-label': words.output }

type PartsOf = (line: PatchLine) => readonly LinePart[]

function DiffRow({ row, partsOf }: { row: Row; partsOf: PartsOf }) {
  const parts = useMemo(() => (row.is === 'line' ? partsOf(row) : []), [row, partsOf])
  if (row.is === 'gap')
    return <div className="diff-gap">{words.linesLeftOut((row.to ?? 0) - row.from + 1)}</div>
  const { sign, number } = row
  return (
    <div className="diff-line" data-sign={sign}>
      <span className="diff-number">{number}</span>
      <span className="diff-sign">{sign === '-' ? '−' : sign}</span>
      <span className="diff-text">
        {parts.map(({ text, isChanged }, index) =>
          isChanged ? <b key={index}>{escapeInvisible(text)}</b> : escapeInvisible(text),
        )}
      </span>
    </div>
  )
}

/** Whole lines at first; with marked words once the comparison is loaded. */
function useWords(): PartsOf {
  const [partsOf, setPartsOf] = useState<PartsOf>(() => plainParts)

  useEffect(() => {
    let isCurrent = true
    // When the comparison fails to load, the plain lines stay.
    import('../../code/line-diff.js').then(
      (loaded) => isCurrent && setPartsOf(() => loaded.partsOf),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [])

  return partsOf
}

function plainParts({ text }: PatchLine): readonly LinePart[] {
  return [{ text, isChanged: false }]
}

/** The gap behind the last hunk, and empty ones, are not shown. */
function isShown(row: ReturnType<typeof patchRows>[number]): row is Row {
  return row.is === 'line' || (row.is === 'gap' && row.to !== undefined && row.to >= row.from)
}

function keyOf(row: Row): string {
  return row.is === 'line' ? `${row.sign}${row.number}` : `gap ${row.from}`
}

function firstLines(rows: readonly Row[]): readonly Row[] {
  let lines = 0
  const end = rows.findIndex(({ is }) => is === 'line' && ++lines > FIRST_LINES)
  return end < 0 ? rows : rows.slice(0, rows[end - 1]?.is === 'gap' ? end - 1 : end)
}
