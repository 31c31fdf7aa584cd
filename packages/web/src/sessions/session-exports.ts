// The transcript downloads of a session, in every format of the hub.
import { strings } from '../strings/strings.js'

const FORMATS = [
  ['md', strings.menu.exportMarkdown],
  ['html', strings.menu.exportHtml],
  ['jsonl', strings.menu.exportJson],
] as const

export function sessionExports(sessionId: string) {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/transcript`
  return FORMATS.map(([format, label]) => ({ href: `${path}?format=${format}`, label }))
}
