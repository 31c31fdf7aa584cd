// A path as a link to its file and line in the files panel.
import { escapeInvisible } from '@quayside/protocol'
import { showPanel } from '../../shared/panel-location.js'
import { PathText } from '../../shared/controls/path-text.js'
import { strings } from '../../strings/strings.js'
import { shortPath, useSessionContext } from '../context/session-context.js'

type FilePathProps = { readonly path: string; readonly line?: number | undefined }

/** A path outside the repository is not a link. */
export function FilePath({ path, line }: FilePathProps) {
  const { sessionId, root } = useSessionContext()
  const short = shortPath(path, root)
  const location = line === undefined ? short : `${short}:${line}`
  if (short.startsWith('/')) return <PathText path={location} />
  return (
    <button
      type="button"
      className="path-link"
      title={strings.session.openFileAt(escapeInvisible(location))}
      onClick={() => showPanel(sessionId, 'files', { file: short, line })}
    >
      <PathText path={location} />
    </button>
  )
}
