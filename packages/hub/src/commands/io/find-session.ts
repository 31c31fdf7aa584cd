// Finds a session by its id, the beginning or the end of it, its title, or "-" for the newest.
import type { SessionSummary } from '@quayside/protocol'
import { CommandError, EXIT } from './exit-codes.js'
import { findSimilar } from './find-similar.js'
import type { HubAccess } from './hub-access.js'
import { oneLine } from './one-line.js'

export const SESSION_ARGUMENT =
  'its id, the beginning or end of its id, its title, or "-" for the newest'

const WHOLE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MAX_SEARCHED = 500

export async function requireSessionId({ client }: HubAccess, wanted: string): Promise<string> {
  if (WHOLE_ID.test(wanted)) return wanted
  const seen: SessionSummary[] = []
  for (let cursor: string | undefined; seen.length < MAX_SEARCHED;) {
    const page = await client.sessions.list({
      archived: 'any',
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    })
    seen.push(...page.sessions)
    const [newest] = seen
    if (wanted === '-' && newest) return newest.id
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  const found = seen.filter(({ id, title }) => isPartOfId(id, wanted) || title === wanted)
  const [one] = found
  if (one && found.length === 1) return one.id
  const candidates = found.map(({ id, title }) => `  ${id}  ${oneLine(title ?? '')}`.trimEnd())
  const similar = findSimilar(
    wanted,
    seen.flatMap(({ title }) => title ?? []),
  )
  const hint = similar === undefined ? '' : ` Did you mean "${oneLine(similar)}"?`
  throw new CommandError(
    one
      ? `Several sessions match "${wanted}". Use the end of an id, which differs most:\n${candidates.join('\n')}`
      : `No session matches "${wanted}".${hint} See: quayside sessions`,
    EXIT.failed,
  )
}

/** Ids begin with the time, so those of the same minute begin alike. */
export function isPartOfId(id: string, part: string): boolean {
  return id.startsWith(part) || id.endsWith(part)
}

const MIN_SHORT_ID = 6

/** The ends of ids, long enough to tell them apart. */
export function shortIds(ids: readonly string[]): string[] {
  const isUnique = (end: string): boolean => ids.filter((id) => isPartOfId(id, end)).length === 1
  return ids.map((id) => {
    for (let length = MIN_SHORT_ID; length < id.length; length += 1)
      if (isUnique(id.slice(-length))) return id.slice(-length)
    return id
  })
}
