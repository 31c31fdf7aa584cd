// The header of one file in a panel: back to the list, its path, and its actions.
import type { ReactNode } from 'react'
import { CopyButton } from '../../shared/controls/copy-button.js'
import { Icon } from '../../shared/controls/icon.js'
import { strings } from '../../strings/strings.js'
import { PathText } from '../../shared/controls/path-text.js'

const words = strings.panels

type FileHeadProps = {
  readonly path: string
  /** A note beside the path. */
  readonly note: string | undefined
  readonly onBack: () => void
  readonly children: ReactNode
}

export function FileHead({ path, note, onBack, children }: FileHeadProps) {
  return (
    <div className="file-head">
      <button className="panel-action file-back" onClick={onBack}>
        <Icon name="back" size={14} />
        {words.allFiles}
      </button>
      <span className="file-head-path">
        <PathText path={path} />
        {note !== undefined && <span className="panel-note">{note}</span>}
      </span>
      <CopyButton text={path} className="panel-action">
        {words.copyPath}
      </CopyButton>
      {children}
    </div>
  )
}
