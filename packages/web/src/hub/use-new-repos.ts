// Loads the names of repositories that appeared after the lists were loaded, as soon as a session in one of them is listed.
import type { SessionSummary } from '@quayside/protocol'
import { useEffect } from 'react'
import { useHubObjects, useLists } from './hub-context.js'

export function useNewRepos(sessions: readonly SessionSummary[]): void {
  const { lists } = useHubObjects()
  const { repos, isLoaded } = useLists()
  const known = new Set(repos.map(({ id }) => id))
  const ids = new Set(sessions.map(({ repoId }) => repoId).filter((id) => !known.has(id)))
  const unknown = isLoaded ? [...ids].join(' ') : ''
  useEffect(() => {
    if (unknown) void lists.find(unknown.split(' '))
  }, [lists, unknown])
}
