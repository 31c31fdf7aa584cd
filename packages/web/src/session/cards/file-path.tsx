// A path as a way to the file: in the Files panel, at its line.
import { escapeInvisible } from '@quayside/protocol'
import { showPanel } from '../../shared/panel-location.js'
import { PathText } from '../../shared/controls/path-text.js'
import { strings } from '../../strings/strings.js'
import { shortPath, useSessionPlace } from '../context/session-context.js'

type FilePathProps = { readonly path: string; readonly line?: number | undefined }

/** A path outside of the repository leads nowhere. */
export function FilePath({ path, line }: FilePathProps) {
  const { sessionId, root } = useSessionPlace()
  const short = shortPath(path, root)
  const place = line === undefined ? short : `${short}:${line}`
  if (short.startsWith('/')) return <PathText path={place} />
  return (
    <button
      type="button"
      className="path-link"
      title={strings.session.openFileAt(escapeInvisible(place))}
      onClick={() => showPanel(sessionId, 'files', { file: short, line })}
    >
      <PathText path={place} />
    </button>
  )
}
