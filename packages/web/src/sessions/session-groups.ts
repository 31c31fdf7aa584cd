// The order of the session list: pinned sessions first, then by repository, each newest first.
import type { ListedSession, Repo, SessionSummary } from '@quayside/protocol'

type SessionGroup = {
  readonly id: string
  /** Undefined for the group of pinned sessions. */
  readonly repo: Repo | undefined
  readonly isPinned: boolean
  readonly members: readonly ListedSession[]
}

export function groupSessions(
  sessions: readonly ListedSession[],
  repos: readonly Repo[],
): readonly SessionGroup[] {
  const groups = new Map<string, ListedSession[]>()
  for (const session of sessions.toSorted(latestFirst)) {
    const key = session.pinned ? '' : session.repoId
    const members = groups.get(key) ?? []
    groups.set(key, members)
    members.push(session)
  }
  return [...groups]
    .toSorted(([one], [other]) => Number(other === '') - Number(one === ''))
    .map(([id, members]) => ({
      id,
      isPinned: id === '',
      repo: repos.find((repo) => repo.id === id),
      members,
    }))
}

function latestFirst(one: SessionSummary, other: SessionSummary): number {
  return Date.parse(other.updatedAt) - Date.parse(one.updatedAt)
}
