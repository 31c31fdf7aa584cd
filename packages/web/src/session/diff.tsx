// A change to a file, line by line. Long ones show their beginning first.
import { useMemo, useState } from 'react'
import { diffLines } from './diff-lines.js'
import { inPlainSight } from './plain-sight.js'

const FIRST_LINES = 16

type DiffProps = { readonly path: string; readonly oldText: string; readonly newText: string }

export function Diff({ path, oldText, newText }: DiffProps) {
  const lines = useMemo(() => diffLines(oldText, newText), [oldText, newText])
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? lines : lines.slice(0, FIRST_LINES)
  const added = lines.filter(({ sign }) => sign === '+').length
  const removed = lines.filter(({ sign }) => sign === '-').length

  return (
    <figure className="diff">
      <figcaption className="diff-path">
        <span className="path">{path}</span>
        <span className="plus">+{added}</span>
        <span className="minus">−{removed}</span>
      </figcaption>
      <div className="diff-lines">
        {shown.map(({ sign, number, text }) => (
          <div key={`${sign}${number}`} className="diff-line" data-sign={sign}>
            <span className="diff-number">{number}</span>
            <span className="diff-sign">{sign}</span>
            <span>{inPlainSight(text)}</span>
          </div>
        ))}
      </div>
      {shown.length < lines.length && (
        <button className="diff-more" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </button>
      )}
    </figure>
  )
}
