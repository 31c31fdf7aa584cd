// A list of files in a dialog, which can be scrolled by keys.
import { PathText } from '../../shared/controls/path-text.js'

type FileNamesProps = { readonly label: string; readonly paths: readonly string[] }

export function FileNames({ label, paths }: FileNamesProps) {
  return (
    <div className="file-names" {...SCROLLED} aria-label={label}>
      <ul>
        {paths.map((path) => (
          <li key={path} className="mono">
            <PathText path={path} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const SCROLLED = { tabIndex: 0, role: 'group' }
