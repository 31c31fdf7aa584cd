// The files of a repository that were opened last, in this browser.

const MAX_RECENT = 6

export function recentFiles(repoId: string): readonly string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(keyOf(repoId)) ?? '[]')
    return Array.isArray(saved) ? saved.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}

export function addRecent(repoId: string, path: string): void {
  const others = recentFiles(repoId).filter((other) => other !== path)
  localStorage.setItem(keyOf(repoId), JSON.stringify([path, ...others].slice(0, MAX_RECENT)))
}

function keyOf(repoId: string): string {
  return `quayside.recent-files.${repoId}`
}
