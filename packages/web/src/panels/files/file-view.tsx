// The content of one file: highlighted text, a picture, or a note about what it is.
import { bytes } from '../../shared/text/sizes.js'
import type { RepoFile } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { escapeInvisible } from '@quayside/protocol'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { useLoaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings/strings.js'
import { FileHead } from '../parts/file-head.js'
import { PanelNotice } from '../parts/panel-notice.js'
import type { PanelProps } from '../parts/panel-props.js'
import { shown } from '../../shared/controls/path-text.js'
import type { CodeLine } from '../../code/highlight.js'

const words = strings.panels

type FileViewProps = PanelProps & {
  readonly path: string
  /** The line to highlight and scroll to. */
  readonly line: number | undefined
  readonly onBack: () => void
}

const MAX_LINE_CHARACTERS = 2_000

export function FileView({ sessionId, repoId, path, line, onBack }: FileViewProps) {
  const { http } = useHub()
  const load = useCallback(
    (signal: AbortSignal) =>
      http.call('GET /api/repos/{repoId}/file', { repoId, sessionId, path }, { signal }),
    [http, sessionId, repoId, path],
  )
  const { value, problem, isLoading, reload } = useLoaded(load)
  return (
    <>
      <FileHead path={path} note={value && bytes(value.byteLength)} onBack={onBack}>
        <button className="panel-action" disabled={isLoading} onClick={reload}>
          {words.refresh}
        </button>
      </FileHead>
      {problem && <PanelNotice text={problem} />}
      {!problem && !value && <PanelNotice text={strings.common.loading} />}
      {!problem && value && <Content file={value} line={line} />}
    </>
  )
}

type ContentProps = { readonly file: RepoFile; readonly line: number | undefined }

function Content({ file, line }: ContentProps) {
  switch (file.kind) {
    case 'text':
      return file.text === '' ? (
        <PanelNotice text={words.emptyFile} />
      ) : (
        <Text path={file.path} text={file.text} wanted={line} />
      )
    case 'image':
      return <Picture {...file} />
    case 'binary':
      return <PanelNotice text={words.binaryFile(file.byteLength)} />
    default:
      return <PanelNotice text={words.largeFile(file.byteLength)} />
  }
}

type TextProps = {
  readonly path: string
  readonly text: string
  readonly wanted: number | undefined
}

function Text({ path, text, wanted }: TextProps) {
  const list = useRef<VListHandle>(null)
  const plain = useMemo(() => plainLines(text), [text])
  const [coloured, setColoured] = useState<{ text: string; lines: readonly CodeLine[] }>()

  useEffect(() => {
    let isWanted = true
    const colour = async () => {
      const { highlightFile } = await import('../../code/highlight.js')
      const lines = highlightFile(path, text)
      if (lines && isWanted) setColoured({ text, lines })
    }
    void colour()
    return () => {
      isWanted = false
    }
  }, [path, text])

  useEffect(() => {
    if (wanted !== undefined) list.current?.scrollToIndex(wanted - 1, { align: 'center' })
  }, [wanted])

  return (
    <VList
      ref={list}
      className="code file-text"
      data={coloured?.text === text ? coloured.lines : plain}
      itemSize={20}
      role="group"
      aria-label={words.contentOf(shown(path))}
      tabIndex={0}
    >
      {(line, at) => <Line key={at} number={at + 1} line={line} isWanted={at + 1 === wanted} />}
    </VList>
  )
}

type LineProps = { readonly number: number; readonly line: CodeLine; readonly isWanted: boolean }

const Line = memo(function Line({ number, line, isWanted }: LineProps) {
  return (
    <div className="file-line" aria-current={isWanted || undefined}>
      <span className="line-number">{number}</span>
      <span className="line-text">
        {line.map(({ text, scope }, at) => (
          <span key={at} className={scope && `hl-${scope}`}>
            {escapeInvisible(text.slice(0, MAX_LINE_CHARACTERS))}
            {text.length > MAX_LINE_CHARACTERS &&
              words.moreCharacters(text.length - MAX_LINE_CHARACTERS)}
          </span>
        ))}
      </span>
    </div>
  )
})

function plainLines(text: string): CodeLine[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => [{ text: line }])
}

type PictureProps = { readonly path: string; readonly mimeType: string; readonly base64: string }

/** Uses a blob address, so that no content of the repository is ever a page of the hub's origin. */
function Picture({ path, mimeType, base64 }: PictureProps) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const address = URL.createObjectURL(new Blob([bytes], { type: mimeType }))
      image.src = address
      return () => URL.revokeObjectURL(address)
    },
    [base64, mimeType],
  )
  return (
    <div className="file-picture">
      <img ref={show} alt={shown(path)} />
    </div>
  )
}
