// A changed file that unfolds to its diff.
import type { FileChange } from '@quayside/client'
import { Disclosure } from '../../shared/controls/disclosure.js'
import { Icon } from '../../shared/controls/icon.js'
import { LineCounts } from '../../shared/controls/line-counts.js'
import { PathText, shown } from '../../shared/controls/path-text.js'
import { strings } from '../../strings/strings.js'
import { undoWords } from '../../strings/undo-words.js'
import { PatchText } from './diff.js'

export function ChangedFile({
  file,
  isOpen,
}: {
  readonly file: FileChange
  readonly isOpen: boolean
}) {
  const { path, oldPath, added = 0, removed = 0 } = file
  return (
    <Disclosure
      className="diff mono"
      isOpen={isOpen}
      summary={
        <span className="diff-path">
          <Icon name="chevron" size={12} />
          <PathText path={path} />
          <LineCounts added={added} removed={removed} />
        </span>
      }
    >
      {oldPath !== undefined && (
        <p className="output-note">{strings.panels.renamedFrom(shown(oldPath))}</p>
      )}
      <FileLines file={file} />
    </Disclosure>
  )
}

function FileLines({
  file: { kind, patch, oldPath, added = 0, removed = 0 },
}: {
  file: FileChange
}) {
  if (kind !== 'text') return <p className="output-note">{strings.panels[kind]}</p>
  if (patch === undefined) return <p className="output-note">{strings.panels.tooLong}</p>
  const lines = added + removed
  if (lines > 0) return <PatchText text={patch} lines={lines} />
  return oldPath === undefined && <p className="output-note">{undoWords.noLines}</p>
}
