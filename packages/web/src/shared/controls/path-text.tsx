// A path: the folder is dimmed and truncated first, the name stays, and invisible characters are escaped.
import { escapeInvisible } from '@quayside/protocol'

export function PathText({ path }: { path: string }) {
  const cut = path.lastIndexOf('/') + 1
  return (
    <span className="path" title={shown(path)}>
      {/* Inline text: screen readers put a space between boxes. */}
      <bdi dir="ltr">
        {cut > 0 && <span className="path-folder">{shown(path.slice(0, cut))}</span>}
        <span className="path-file">{shown(path.slice(cut))}</span>
      </bdi>
    </span>
  )
}

/** A line break in a name is escaped like other control characters. */
export function shown(path: string): string {
  return escapeInvisible(path).replaceAll('\n', '\\u000a').replaceAll('\t', '\\u0009')
}
