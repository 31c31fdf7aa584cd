// The diff of one file, with the changed words marked. Long diffs show their beginning first.
import { diffLines, escapeInvisible } from '@quayside/protocol'
import { useEffect, useMemo, useState } from 'react'
import { startDiffWorker } from '../../workers/workers.js'
import { CopyIcon } from '../../shared/controls/copy-button.js'
import { LineCounts } from '../../shared/controls/line-counts.js'
import { strings } from '../../strings/strings.js'
import { FilePath } from './file-path.js'
import { countLines } from '../../code/count-lines.js'
import type { DiffRequest } from '../../workers/diff-worker.js'
import type { ChangedLine, Hunk } from '../../code/line-diff.js'

const words = strings.session

const FIRST_LINES = 16
/** A larger diff is compared and shown only on request. */
const LARGE_LINES = 1_500
const LARGE_CHARS = 150_000

type DiffProps = { readonly path: string; readonly oldText: string; readonly newText: string }

export function Diff({ path, oldText, newText }: DiffProps) {
  const size = useMemo(() => sizeOf(oldText, newText), [oldText, newText])
  const [isAsked, setAsked] = useState(false)
  const isLarge = size.lines > LARGE_LINES || size.chars > LARGE_CHARS
  return (
    <figure className="diff mono">
      <figcaption className="diff-path">
        <FilePath path={path} />
        <DiffCounts oldText={oldText} newText={newText} />
        <CopyIcon text={path} label={words.copyPath} />
      </figcaption>
      {isLarge && !isAsked ? (
        <button type="button" className="diff-more" onClick={() => setAsked(true)}>
          {words.largeDiff(size.lines)}
        </button>
      ) : (
        <Compared
          oldText={oldText}
          newText={newText}
          isLarge={isLarge}
          onCancel={() => setAsked(false)}
        />
      )}
    </figure>
  )
}

export function DiffCounts({ oldText, newText }: { oldText: string; newText: string }) {
  const counts = useMemo(() => countLines(oldText, newText), [oldText, newText])
  return <LineCounts {...counts} />
}

type Texts = { readonly oldText: string; readonly newText: string }
type ComparedProps = Texts & { readonly isLarge: boolean; readonly onCancel: () => void }

function Compared({ isLarge, onCancel, ...texts }: ComparedProps) {
  return isLarge ? <ComparedBeside {...texts} onCancel={onCancel} /> : <ComparedHere {...texts} />
}

function ComparedHere({ oldText, newText }: Texts) {
  return <DiffBody hunks={useHunks(oldText, newText)} />
}

/** Compares large diffs in a worker, so that the page stays responsive. */
function ComparedBeside({ oldText, newText, onCancel }: Texts & Pick<ComparedProps, 'onCancel'>) {
  const [hunks, setHunks] = useState<readonly Hunk[]>()

  useEffect(() => {
    const worker = startDiffWorker()
    // When the worker times out or fails to load, all lines are shown as one block.
    const plain = () => setHunks([{ skipped: 0, lines: plainLines(oldText, newText) }])
    worker.addEventListener('message', ({ data }: MessageEvent<readonly Hunk[] | undefined>) =>
      data ? setHunks(data) : plain(),
    )
    worker.addEventListener('error', plain)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has no other origin.
    worker.postMessage({ oldText, newText } satisfies DiffRequest)
    return () => worker.terminate()
  }, [oldText, newText])

  if (hunks) return <DiffBody hunks={hunks} />
  return (
    <p className="output-note" role="status">
      {words.comparing}{' '}
      <button type="button" className="quiet-button" onClick={onCancel}>
        {strings.common.cancel}
      </button>
    </p>
  )
}

function DiffBody({ hunks }: { hunks: readonly Hunk[] }) {
  const [isWhole, setWhole] = useState(false)
  const all = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  const shown = isWhole ? hunks : firstLines(hunks, FIRST_LINES)
  if (all === 0) return <p className="output-note">{words.noChange}</p>
  return (
    <>
      <div className="diff-lines" tabIndex={0} role="group" aria-label={words.output}>
        <div className="diff-table">
          {shown.map((hunk, index) => (
            <HunkLines key={index} hunk={hunk} />
          ))}
        </div>
      </div>
      {!isWhole && all > FIRST_LINES && (
        <button type="button" className="diff-more" onClick={() => setWhole(true)}>
          {words.showAllLines(all)}
        </button>
      )}
    </>
  )
}

function HunkLines({ hunk: { skipped, lines } }: { hunk: Hunk }) {
  return (
    <>
      {skipped > 0 && <div className="diff-gap">{words.linesLeftOut(skipped)}</div>}
      {lines.map(({ sign, number, parts }) => (
        <div key={`${sign}${number}`} className="diff-line" data-sign={sign}>
          <span className="diff-number">{number}</span>
          <span className="diff-sign">{sign === '-' ? '−' : sign}</span>
          <span className="diff-text">
            {parts.map(({ text, isChanged }, index) =>
              isChanged ? <b key={index}>{escapeInvisible(text)}</b> : escapeInvisible(text),
            )}
          </span>
        </div>
      ))}
    </>
  )
}

/** One block of changes at first; hunks with marked words once the comparison is loaded. */
function useHunks(oldText: string, newText: string): readonly Hunk[] {
  const plain = useMemo(
    () => [{ skipped: 0, lines: plainLines(oldText, newText) }],
    [oldText, newText],
  )
  const [found, setFound] = useState<{ of: readonly Hunk[]; hunks: readonly Hunk[] | undefined }>()

  useEffect(() => {
    let isCurrent = true
    // When the comparison fails to load or takes too long, the plain lines stay.
    import('../../code/line-diff.js').then(
      ({ findHunks }) => isCurrent && setFound({ of: plain, hunks: findHunks(oldText, newText) }),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [plain, oldText, newText])

  return (found?.of === plain ? found.hunks : undefined) ?? plain
}

function plainLines(oldText: string, newText: string): ChangedLine[] {
  return diffLines(oldText, newText).map(({ sign, number, text }) => ({
    sign,
    number,
    parts: [{ text, isChanged: false }],
  }))
}

function firstLines(hunks: readonly Hunk[], most: number): readonly Hunk[] {
  let left = most
  return hunks.flatMap(({ skipped, lines }) => {
    const shown = lines.slice(0, left)
    left -= shown.length
    return shown.length > 0 ? [{ skipped, lines: shown }] : []
  })
}

function sizeOf(oldText: string, newText: string): { lines: number; chars: number } {
  const lines = Math.max(oldText.split('\n').length, newText.split('\n').length)
  return { lines, chars: oldText.length + newText.length }
}
