// The files panel: finds files of the session's work tree by parts of their path, with git's status letters, and shows one.
import { useHub } from '@quayside/client/react'
import { useCallback, useDeferredValue, useState } from 'react'
import { Icon } from '../../shared/controls/icon.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings/strings.js'
import { PanelNotice } from '../parts/panel-notice.js'
import { showFile } from '../../shared/panel-location.js'
import { PathText } from '../../shared/controls/path-text.js'
import type { PanelProps } from '../parts/panel-props.js'
import { FileView } from './file-view.js'
import { addRecent, recentFiles } from './recent-files.js'

const words = strings.panels

const SHOWN_FILES = 100

type FilesPanelProps = PanelProps & {
  readonly file: string | undefined
  readonly line: number | undefined
}

export function FilesPanel({ sessionId, repoId, file, line }: FilesPanelProps) {
  if (file !== undefined)
    return (
      <FileView
        key={file}
        sessionId={sessionId}
        repoId={repoId}
        path={file}
        line={line}
        onBack={() => showFile(sessionId, undefined)}
      />
    )
  return (
    <FileFinder
      sessionId={sessionId}
      repoId={repoId}
      onOpen={(path) => showFile(sessionId, path)}
    />
  )
}

type FileFinderProps = PanelProps & { readonly onOpen: (path: string) => void }

function FileFinder({ sessionId, repoId, onOpen }: FileFinderProps) {
  const [letters, setLetters] = useState('')
  const recent = letters === '' ? recentFiles(repoId) : []
  const marks = useMarks({ sessionId, repoId })

  function open(path: string) {
    addRecent(repoId, path)
    onOpen(path)
  }

  return (
    <>
      <div className="panel-bar">
        <label className="finder">
          <Icon name="search" size={14} />
          <span className="visually-hidden">{words.findFile}</span>
          <input
            className="finder-field"
            type="search"
            placeholder={words.findHint}
            autoComplete="off"
            spellCheck={false}
            value={letters}
            onChange={({ target }) => setLetters(target.value)}
          />
        </label>
      </div>
      <div className="finder-lists">
        {recent.length > 0 && (
          <FileList title={words.recent} paths={recent} marks={marks} onOpen={open} />
        )}
        <FoundFiles
          sessionId={sessionId}
          repoId={repoId}
          letters={letters}
          marks={marks}
          onOpen={open}
        />
      </div>
    </>
  )
}

type Marks = ReadonlyMap<string, string>
type FoundFilesProps = FileFinderProps & { readonly letters: string; readonly marks: Marks }

function FoundFiles({ sessionId, repoId, letters, marks, onOpen }: FoundFilesProps) {
  const client = useHub()
  const wanted = useDeferredValue(letters)
  const load = useCallback(
    (signal: AbortSignal) =>
      client.repos.files(repoId, { sessionId, q: wanted, limit: SHOWN_FILES }, { signal }),
    [client, sessionId, repoId, wanted],
  )
  const { value, problem } = useLoaded(load)
  if (problem) return <PanelNotice text={problem} />
  if (!value) return <PanelNotice text={strings.common.loading} />
  if (value.files.length === 0)
    return <PanelNotice text={wanted === '' ? words.noFiles : words.noFile(wanted)} />
  return (
    <>
      <FileList title={words.repoFiles} paths={value.files} marks={marks} onOpen={onOpen} />
      <p className="panel-note">{words.found(value.files.length, value.total)}</p>
    </>
  )
}

type FileListProps = {
  readonly title: string
  readonly paths: readonly string[]
  readonly marks: Marks
  readonly onOpen: (path: string) => void
}

function FileList({ title, paths, marks, onOpen }: FileListProps) {
  return (
    <>
      <h2 className="finder-title">{title}</h2>
      <ul aria-label={title}>
        {paths.map((path) => (
          <li key={path}>
            <button className="file-row" onClick={() => onOpen(path)}>
              <Icon name="file" size={14} />
              <PathText path={path} />
              <Mark letter={marks.get(path)} />
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function Mark({ letter }: { letter: string | undefined }) {
  if (letter === undefined) return null
  return (
    <abbr className="file-mark" data-mark={letter} title={words.gitNames[letter] ?? letter}>
      {letter}
    </abbr>
  )
}

/** git's status letter for each uncommitted file. The list works without them. */
function useMarks({ sessionId, repoId }: PanelProps): Marks {
  const { http } = useHub()
  const load = useCallback(
    async (signal: AbortSignal) => {
      const place = { repoId, sessionId }
      const { files } = await http.call('GET /api/repos/{repoId}/status', place, { signal })
      return new Map(
        files.map(({ path, staged, unstaged }) => [path, unstaged === '.' ? staged : unstaged]),
      )
    },
    [http, sessionId, repoId],
  )
  return useLoaded(load).value ?? new Map()
}
