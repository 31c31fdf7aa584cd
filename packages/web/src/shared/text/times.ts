// Formats ages and durations for lists.
import { locale } from './language.js'
import { inTenths } from './plural.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const now = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second')
const minutes = inUnits('minute')
const hours = inUnits('hour')
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })

export function timeAgo(iso: string): string {
  const at = Date.parse(iso)
  const age = Date.now() - at
  if (age < MINUTE) return now
  if (age < HOUR) return minutes.format(Math.floor(age / MINUTE))
  if (age < DAY) return hours.format(Math.floor(age / HOUR))
  return (age < 6 * DAY ? weekday : day).format(at)
}

export function duration(ms: number): string {
  if (ms < 9_950) return `${inTenths(ms / 1_000)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function inUnits(unit: 'minute' | 'hour'): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' })
}
