// The list of changed files, with their lines below it. A phone shows one of the two at a time.
import type { FileChange } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { Icon } from '../../shared/controls/icon.js'
import { LineCounts } from '../../shared/controls/line-counts.js'
import { PathText } from '../../shared/controls/path-text.js'
import { usePanelFocus } from '../../shared/page-focus.js'
import { prefer, usePreferences } from '../../shared/preferences.js'
import { strings } from '../../strings/strings.js'
import { showFile, showPanel, usePanelState } from '../../shared/panel-location.js'
import type { PanelProps } from '../parts/panel-props.js'
import { ReviewList, type ReviewHandle } from './review-list.js'
import { Patches, type Scope } from './patches.js'
import { useReview } from './use-review.js'
import { useReviewKeys } from './use-review-keys.js'

const words = strings.review

/** From this width on, two columns are the default. */
const SPLIT_PX = 1_100

type ChangedFilesProps = PanelProps & {
  readonly scope: Scope
  readonly files: readonly FileChange[]
  readonly onStale: () => void
  /** Rendered below the list. */
  readonly children: ReactNode
}

export function ChangedFiles(props: ChangedFilesProps) {
  const { sessionId, repoId, scope, files, onStale, children } = props
  const container = useRef<HTMLDivElement>(null)
  const handle = useRef<ReviewHandle>(null)
  const { file: chosen } = usePanelState(sessionId)
  usePanelFocus(container)
  const isSplit = useSplit(container)
  const { wrapDiffs } = usePreferences()
  const patches = usePatches(sessionId, repoId, scope)
  const review = useReview({ sessionId, files, patches, isSplit, onStale })
  const onKeyDown = useReviewKeys(review, handle)
  const viewed = files.filter(review.isViewed).length

  function lead(path: string | undefined) {
    const file = files.find((one) => one.path === path)
    if (!file) return
    review.fold(file, false)
    // After the file was unfolded and, on a phone, the lines became visible.
    requestAnimationFrame(() => handle.current?.show(file.path, 'start'))
  }

  const leadTo = useEffectEvent(lead)
  useEffect(() => leadTo(chosen), [chosen])

  function choose({ path }: FileChange) {
    // The file was already chosen, so the effect above does not run.
    if (path === chosen) lead(path)
    else showFile(sessionId, path)
  }

  const open = useCallback(
    ({ path }: FileChange) => showPanel(sessionId, 'files', { file: path }),
    [sessionId],
  )

  return (
    <div
      ref={container}
      className="changes"
      data-chosen={files.some(({ path }) => path === chosen)}
      data-split={isSplit || undefined}
      data-wrap={wrapDiffs || undefined}
      onKeyDown={onKeyDown}
    >
      <div className="changes-list">
        <ul aria-label={strings.panels.changedFiles}>
          {files.map((file) => (
            <li key={file.path}>
              <FileRow
                file={file}
                isChosen={file.path === chosen}
                isViewed={review.isViewed(file)}
                onChoose={choose}
              />
            </li>
          ))}
        </ul>
        {children}
      </div>
      <div className="changes-bar">
        <button className="panel-action file-back" onClick={() => showFile(sessionId, undefined)}>
          <Icon name="back" size={14} />
          {strings.panels.allFiles}
        </button>
        <span className="changes-viewed" role="status">
          {words.viewedOf(viewed, files.length)}
        </span>
        <span className="spacer" />
        <Toggle
          name={words.split}
          isOn={isSplit}
          onChange={(isOn) => prefer({ diffView: isOn ? 'split' : 'unified' })}
        />
        <Toggle
          name={words.wrap}
          isOn={wrapDiffs}
          onChange={(isOn) => prefer({ wrapDiffs: isOn })}
        />
      </div>
      <ReviewList
        review={review}
        patches={patches}
        isSplit={isSplit}
        onOpen={open}
        handle={handle}
      />
      <p className="panel-note review-keys">{words.keys}</p>
    </div>
  )
}

type FileRowProps = {
  readonly file: FileChange
  /** Undefined when it is only a link. */
  readonly isChosen?: boolean
  readonly isViewed?: boolean
  readonly onChoose: (file: FileChange) => void
}

export function FileRow({ file, isChosen, isViewed, onChoose }: FileRowProps) {
  const { path, status } = file
  return (
    <button
      className="file-row"
      aria-pressed={isChosen}
      data-viewed={isViewed || undefined}
      onClick={() => onChoose(file)}
    >
      <abbr className="file-mark" data-mark={status} title={strings.panels.statusNames[status]}>
        {status}
      </abbr>
      <PathText path={path} />
      <LineCounts {...file} />
      {isViewed && (
        <span className="file-seen">
          <Icon name="check" size={14} />
          <span className="visually-hidden">{words.viewed}</span>
        </span>
      )}
    </button>
  )
}

type ToggleProps = {
  readonly name: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function Toggle({ name, isOn, onChange }: ToggleProps) {
  return (
    <button className="panel-action" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {name}
    </button>
  )
}

function usePatches(sessionId: string, repoId: string, scope: Scope): Patches {
  const client = useHub()
  const patches = useMemo(
    () => new Patches({ client, sessionId, repoId, scope }),
    [client, sessionId, repoId, scope],
  )
  useEffect(() => () => patches.close(), [patches])
  return patches
}

/** The person's preference, else by the available width. */
function useSplit(container: RefObject<HTMLElement | null>): boolean {
  const { diffView } = usePreferences()
  const [isWide, setWide] = useState(false)

  useEffect(() => {
    if (!container.current) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWide(entry.contentRect.width >= SPLIT_PX)
    })
    observer.observe(container.current)
    return () => observer.disconnect()
  }, [container])

  return diffView === 'auto' ? isWide : diffView === 'split'
}
