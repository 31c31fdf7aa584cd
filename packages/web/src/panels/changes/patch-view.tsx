// The diff of one file, line by line. Only what is on the screen is drawn, however long it is.
import { useLoaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings.js'
import type { FileChange } from '@quayside/client'
import { useClient } from '@quayside/client/react'
import { inPlainSight } from '@quayside/protocol'
import { memo, useCallback, useMemo } from 'react'
import { VList } from 'virtua'
import { PanelNotice } from '../panel-notice.js'
import { shown } from '../../shared/path-text.js'
import { changedWords, type LinePart } from './changed-words.js'
import { patchRows, type PatchLine, type PatchRow } from './patch-rows.js'

const words = strings.panels

type PatchViewProps = { readonly sessionId: string; readonly file: FileChange }

const MAX_LINE_CHARACTERS = 2_000

export function PatchView({ sessionId, file }: PatchViewProps) {
  const client = useClient()
  const load = useCallback(
    async (signal: AbortSignal) => {
      const { path, oldPath } = file
      // Of one path alone, git would not see that the file had another name.
      const wish = oldPath === undefined ? { path } : {}
      const changes = await client.sessions.changes(sessionId, wish, { signal })
      return changes.is === 'known' ? changes.files.find((found) => found.path === path) : undefined
    },
    [client, sessionId, file],
  )
  const { value, problem, isLoading, reload } = useLoaded(load)
  const rows = useMemo(() => patchRows(value?.patch ?? ''), [value])

  if (problem)
    return (
      <PanelNotice text={problem}>
        <button className="button" onClick={reload}>
          {strings.common.retry}
        </button>
      </PanelNotice>
    )
  if (value === undefined)
    return <PanelNotice text={isLoading ? strings.common.loading : words.sameNow} />
  const reason = whyWithoutLines(value)
  if (reason) return <PanelNotice text={reason} />
  return (
    <VList
      className="patch code"
      data={rows}
      itemSize={20}
      role="group"
      aria-label={words.diffOf(shown(file.path))}
      tabIndex={0}
    >
      {(row, at) => <Row key={at} row={row} />}
    </VList>
  )
}

function whyWithoutLines({ kind, patch, oldPath }: FileChange): string | undefined {
  if (kind !== 'text') return words[kind]
  if (patch === undefined) return words.tooLong
  if (patchRows(patch).length > 0) return undefined
  return oldPath === undefined ? words.emptyFile : words.renamedFrom(shown(oldPath))
}

const Row = memo(function Row({ row }: { row: PatchRow }) {
  if (row.is !== 'line') return <div className={`patch-${row.is}`}>{inPlainSight(row.text)}</div>
  return (
    <div className="patch-line" data-sign={row.sign}>
      <span className="line-number">{row.number}</span>
      <span className="patch-sign">{row.sign}</span>
      <span className="line-text">
        <LineText line={row} />
      </span>
    </div>
  )
})

function LineText({ line: { text, other } }: { line: PatchLine }) {
  if (text.length > MAX_LINE_CHARACTERS) {
    const rest = text.length - MAX_LINE_CHARACTERS
    return (
      <>
        {inPlainSight(text.slice(0, MAX_LINE_CHARACTERS))}
        <i>{words.moreCharacters(rest)}</i>
      </>
    )
  }
  if (other === undefined) return inPlainSight(text)
  return changedWords(text, other).map((part, at) => <Part key={at} part={part} />)
}

function Part({ part: { text, isChanged } }: { part: LinePart }) {
  return isChanged ? <mark>{inPlainSight(text)}</mark> : inPlainSight(text)
}
