// A folder on the hub's computer, typed or browsed within the folders that the hub shows.
import { useHub } from '@quayside/client/react'
import { useCallback, useState } from 'react'
import { strings } from '../../strings/strings.js'
import { Dialog, DialogActions } from './dialog.js'
import { Icon } from './icon.js'
import { Skeleton, Trouble } from './trouble.js'
import { useLoaded } from '../use-loaded.js'

type PathFieldProps = {
  readonly id: string
  readonly className: string
  readonly value: string
  readonly onChange: (path: string) => void
  readonly canBrowse: boolean
  readonly base: string | undefined
  readonly placeholder: string | undefined
  readonly required: boolean
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

export function PathField({ canBrowse, base, onChange, ...input }: PathFieldProps) {
  const [isBrowsing, setBrowsing] = useState(false)
  return (
    <div className="field-row">
      <input
        {...input}
        className={`${input.className} mono`}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      {canBrowse && (
        <button type="button" className="button" onClick={() => setBrowsing(true)}>
          {strings.field.browse}
        </button>
      )}
      {isBrowsing && (
        <FolderDialog
          base={base}
          onClose={() => setBrowsing(false)}
          onChoose={(path) => {
            onChange(base === undefined ? path : relative(path, base))
            setBrowsing(false)
          }}
        />
      )}
    </div>
  )
}

type FolderDialogProps = {
  readonly base: string | undefined
  readonly onChoose: (path: string) => void
  readonly onClose: () => void
}

function FolderDialog({ base, onChoose, onClose }: FolderDialogProps) {
  const client = useHub()
  const [path, setPath] = useState(base)
  const read = useCallback(
    (signal: AbortSignal) => client.repos.browse(path, { signal }),
    [client, path],
  )
  const { value, problem, reload } = useLoaded(read)
  const canGoUp = path !== undefined && path !== base

  return (
    <Dialog title={strings.field.browseTitle} onClose={onClose}>
      <p className="dialog-text mono">{path ?? strings.field.roots}</p>
      {problem !== undefined && <Trouble problem={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Skeleton />}
      {value && (
        <ul className="folders">
          {canGoUp && (
            <li>
              <button
                type="button"
                className="folder"
                onClick={() => setPath(parentOf(path, base))}
              >
                <Icon name="arrowUp" size={14} />
                {strings.field.up}
              </button>
            </li>
          )}
          {value.folders.map((folder) => (
            <li key={folder.path}>
              <button type="button" className="folder" onClick={() => setPath(folder.path)}>
                <Icon name="folder" size={14} />
                {folder.name}
              </button>
            </li>
          ))}
          {value.folders.length === 0 && <li className="muted">{strings.field.noFolders}</li>}
        </ul>
      )}
      <DialogActions onCancel={onClose}>
        <button
          type="button"
          className="button primary"
          disabled={path === undefined}
          onClick={() => path !== undefined && onChoose(path)}
        >
          {strings.field.choose}
        </button>
      </DialogActions>
    </Dialog>
  )
}

/** Above the root folders is a list of them, which has no path. */
function parentOf(path: string, base: string | undefined): string | undefined {
  const parent = path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')))
  return parent === '' ? base : parent
}

function relative(path: string, base: string): string {
  if (path === base) return '.'
  return path.startsWith(base) ? path.slice(base.length + 1) : path
}
