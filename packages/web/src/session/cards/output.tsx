// The output of a command: the last lines with their colours, and earlier ones on request.
import { readCut, type CutText } from '@quayside/protocol'
import { CopyIcon } from '../../shared/controls/copy-button.js'
import { Download, sizeOf, type Saved } from '../../shared/controls/download.js'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { usePreferences } from '../../shared/preferences.js'
import { bytes } from '../../shared/text/sizes.js'
import { strings } from '../../strings/strings.js'
import { readAnsi, tailOf, type AnsiColor, type AnsiPiece } from './ansi.js'

const words = strings.session

/** Browsers are slow with more characters than this. */
const MAX_CHARS = 256 * 1024

type OutputProps = {
  readonly text: string
  /** The output is still growing: the end stays visible until the person scrolls. */
  readonly isLive?: boolean
  /** True when earlier output was dropped. */
  readonly isGone?: boolean
}

export function Output({ text: logged, isLive = false, isGone = false }: OutputProps) {
  const [isWhole, setWhole] = useState(false)
  const { commandOutputLines } = usePreferences()
  const cut = useMemo(() => readCut(logged), [logged])
  const { earlier, problem, load } = useEarlier(cut)
  const text = earlier ?? cut?.text ?? logged
  const capped = text.length > MAX_CHARS ? text.slice(-MAX_CHARS) : text
  const isPart = capped.length < text.length || (cut !== undefined && earlier === undefined)
  const all = isPart ? (cut ?? { text }) : undefined
  const isBeginning = cut?.is === 'beginning'
  const tail =
    isWhole || isBeginning ? { text: capped, left: 0 } : tailOf(capped, commandOutputLines)
  const pieces = useMemo(() => readAnsi(tail.text), [tail.text])
  const pane = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)

  useEffect(() => {
    if (isLive && isAtEnd.current && pane.current)
      pane.current.scrollTop = pane.current.scrollHeight
  })

  const note = (all || isGone) && (
    <PartNote is={cut?.is ?? 'end'} all={all} isGone={isGone}>
      {cut?.is === 'end' && earlier === undefined && (
        <button
          type="button"
          className="output-more"
          onClick={() => {
            setWhole(true)
            load()
          }}
        >
          {words.showEarlierOutput}
        </button>
      )}
      {problem}
    </PartNote>
  )
  return (
    <div className="output-frame">
      {!isBeginning && note}
      {tail.left > 0 && (
        <button type="button" className="output-more" onClick={() => setWhole(true)}>
          {words.showEarlierLines(tail.left)}
        </button>
      )}
      <pre
        ref={pane}
        className="output"
        tabIndex={0}
        aria-label={words.output}
        dir="ltr"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 8
        }}
      >
        {pieces.map((piece, index) => (
          <Piece key={index} piece={piece} />
        ))}
      </pre>
      {isBeginning && note}
      <CopyIcon text={text} label={words.copyOutput} />
    </div>
  )
}

/** Loads the part of a long output that the event does not hold, at most as much as the page shows. */
function useEarlier(cut: CutText | undefined) {
  const [loaded, setLoaded] = useState<{ readonly media: string; readonly text: string }>()
  const [problem, setProblem] = useState<string>()
  const media = cut?.media

  async function read(address: string) {
    setProblem(undefined)
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(answer.statusText)
    const text = await answer.text()
    // One more than is shown, so that the rest is known to exist.
    setLoaded({ media: address, text: text.slice(-MAX_CHARS - 1) })
  }

  return {
    earlier: loaded?.media === media ? loaded?.text : undefined,
    problem,
    load: () => {
      if (media !== undefined) read(media).catch(() => setProblem(words.earlierNotLoaded))
    },
  }
}

type PartNoteProps = {
  readonly is: CutText['is']
  /** The full output, when it is more than the shown part. */
  readonly all: Saved | undefined
  readonly isGone: boolean
  readonly children: ReactNode
}

function PartNote({ is, all, isGone, children }: PartNoteProps) {
  const download = isGone ? words.downloadKept : words.downloadAll
  return (
    <p className="output-note">
      {children} {is === 'beginning' ? words.outputBegins : words.outputCut}
      {isGone && ` ${words.outputGone}`}{' '}
      {all && (
        <Download of={all} className="output-download">
          {download(bytes(sizeOf(all)))}
        </Download>
      )}
    </p>
  )
}

function Piece({ piece: { text, foreground, background, marks } }: { piece: AnsiPiece }) {
  if (!foreground && !background && marks.length === 0) return text
  return (
    <span
      className={['ansi', ...marks.map((mark) => `ansi-${mark}`)].join(' ')}
      data-fg={nameOf(foreground)}
      data-bg={nameOf(background)}
      style={{ color: cssOf(foreground), backgroundColor: cssOf(background) }}
    >
      {text}
    </span>
  )
}

function nameOf(color: AnsiColor | undefined): string | undefined {
  return color && 'name' in color ? color.name : undefined
}

function cssOf(color: AnsiColor | undefined): string | undefined {
  return color && 'css' in color ? color.css : undefined
}
