// A path as people read it: the folder quiet and the first to give way, the name clear, hidden characters visible.
import { escapeInvisible } from '@quayside/protocol'

export function PathText({ path }: { path: string }) {
  const cut = path.lastIndexOf('/') + 1
  return (
    <span className="path" title={shown(path)}>
      {/* In one line of text: parts in boxes of their own are read out with a space between them. */}
      <bdi dir="ltr">
        {cut > 0 && <span className="path-folder">{shown(path.slice(0, cut))}</span>}
        <span className="path-file">{shown(path.slice(cut))}</span>
      </bdi>
    </span>
  )
}

/** A line break in a name is as hidden as any other control. */
export function shown(path: string): string {
  return escapeInvisible(path).replaceAll('\n', '\\u000a').replaceAll('\t', '\\u0009')
}
