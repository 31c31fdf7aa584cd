// The header of one file in a review: path, number of changed lines, and the viewed mark.
import type { FileChange } from '@quayside/client'
import { CopyIcon } from '../../shared/controls/copy-button.js'
import { Icon } from '../../shared/controls/icon.js'
import { LineCounts } from '../../shared/controls/line-counts.js'
import { PathText, shown } from '../../shared/controls/path-text.js'
import { strings } from '../../strings/strings.js'

const words = strings.review

export type ReviewHeadProps = {
  readonly file: FileChange
  readonly isFolded: boolean
  readonly isViewed: boolean
  readonly onFold: (file: FileChange, isFolded: boolean) => void
  readonly onViewed: (file: FileChange, isViewed: boolean) => void
  readonly onOpen: (file: FileChange) => void
}

export function ReviewHead(props: ReviewHeadProps) {
  const { file, isFolded, isViewed, onFold, onViewed, onOpen } = props
  const { path, oldPath, status } = file
  return (
    <div className="review-head" data-folded={isFolded || undefined}>
      <button
        type="button"
        className="panel-button review-fold"
        aria-label={(isFolded ? words.unfold : words.fold)(shown(path))}
        aria-expanded={!isFolded}
        onClick={() => onFold(file, !isFolded)}
      >
        <Icon name="chevron" size={14} />
      </button>
      <abbr className="file-mark" data-mark={status} title={strings.panels.statusNames[status]}>
        {status}
      </abbr>
      <PathText path={path} />
      {oldPath !== undefined && (
        <span className="panel-note">{strings.panels.renamedFrom(shown(oldPath))}</span>
      )}
      <LineCounts {...file} />
      <CopyIcon text={path} label={strings.panels.copyPath} />
      {status !== 'D' && (
        <button type="button" className="panel-action" onClick={() => onOpen(file)}>
          {strings.panels.openFile}
        </button>
      )}
      <label className="review-viewed">
        <input
          type="checkbox"
          checked={isViewed}
          onChange={({ target }) => onViewed(file, target.checked)}
        />
        {words.viewed}
      </label>
    </div>
  )
}
