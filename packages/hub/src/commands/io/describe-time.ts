// Times for people: how long ago, or the local date and time.

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** "5 min ago"; the local date after a month. */
export function ago(at: string | number, now = Date.now()): string {
  const ms = now - new Date(at).getTime()
  if (ms < MINUTE_MS) return 'just now'
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`
  const days = Math.floor(ms / DAY_MS)
  if (days <= 30) return days === 1 ? '1 day ago' : `${days} days ago`
  return localTime(at).slice(0, 10)
}

/** Such as 2026-01-31 15:04. */
function localTime(at: string | number): string {
  const date = new Date(at)
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The local time, and how long ago it was. */
export function describeTime(at: string | number): string {
  return `${localTime(at)} (${ago(at)})`
}

/** The local time of day with milliseconds. */
export function clockTime(at: string | number): string {
  const date = new Date(at)
  const ms = String(date.getMilliseconds()).padStart(3, '0')
  return `${date.toTimeString().slice(0, 8)}.${ms}`
}
