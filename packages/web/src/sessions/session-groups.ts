// The order of the session list: pinned sessions first, then by repository, each newest first. It is held while a person
// points at the list.
import type { ListedSession, Repo, SessionSummary } from '@quayside/protocol'

export type SessionGroup = {
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

/** In the order that is shown already, so that rows do not change places below the pointer. New ones come first. */
export function inShownOrder(
  groups: readonly SessionGroup[],
  shown: readonly SessionGroup[],
): readonly SessionGroup[] {
  return sortedLike(groups, shown).map((group) => {
    const before = shown.find(({ id }) => id === group.id)?.members ?? []
    return { ...group, members: sortedLike(group.members, before) }
  })
}

type Identified = { readonly id: string }

function sortedLike<One extends Identified>(
  all: readonly One[],
  shown: readonly Identified[],
): readonly One[] {
  const places = new Map(shown.map(({ id }, index) => [id, index]))
  const placeOf = ({ id }: One) => places.get(id) ?? -1
  return all.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Ends of the ids of sessions that have the same title as another one in the list. */
export function marksOf(sessions: readonly ListedSession[]): ReadonlyMap<string, string> {
  const counts = new Map<string | null, number>()
  for (const { title } of sessions) counts.set(title, (counts.get(title) ?? 0) + 1)
  const alike = sessions.filter(({ title }) => (counts.get(title) ?? 0) > 1)
  return new Map(alike.map(({ id }) => [id, id.slice(-4)]))
}

function latestFirst(one: SessionSummary, other: SessionSummary): number {
  return Date.parse(other.updatedAt) - Date.parse(one.updatedAt)
}
