// A path as people read it, and as a way to the file: in the Files panel, at its line.
import { inPlainSight } from '@quayside/protocol'
import { showPanel } from '../panels/panel-state.js'
import { strings } from '../strings.js'
import { shortPath, useSessionPlace } from './session-context.js'

/** The folder is quieter than the file, and gives way first when there is no room. */
export function Path({ path }: { path: string }) {
  const shown = inPlainSight(path)
  const cut = shown.lastIndexOf('/') + 1
  return (
    <span className="path" title={shown} dir="ltr">
      <span className="path-folder">{shown.slice(0, cut)}</span>
      <span className="path-file">{shown.slice(cut)}</span>
    </span>
  )
}

type FilePathProps = { readonly path: string; readonly line?: number | undefined }

/** A path outside of the repository leads nowhere. */
export function FilePath({ path, line }: FilePathProps) {
  const { sessionId, root } = useSessionPlace()
  const short = shortPath(path, root)
  const place = line === undefined ? short : `${short}:${line}`
  if (short.startsWith('/')) return <Path path={place} />
  return (
    <button
      type="button"
      className="path-link"
      title={strings.session.openFileAt(inPlainSight(place))}
      onClick={() => showPanel(sessionId, 'files', { file: short, line })}
    >
      <Path path={place} />
    </button>
  )
}
