// Where the hub's routes are: the paths of its things, and queries.

export function repoPath(id: string): string {
  return `/api/repos/${encodeURIComponent(id)}`
}

export function sessionPath(id: string): string {
  return `/api/sessions/${encodeURIComponent(id)}`
}

type QueryValue = string | number | boolean | readonly string[] | undefined

export function queryOf(wanted: Readonly<Record<string, QueryValue>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(wanted)) {
    const text = typeof value === 'object' ? value.join(',') : value
    if (text !== undefined) query.set(name, String(text))
  }
  return query.size > 0 ? `?${query}` : ''
}
