// Formats ages and durations for lists.
import { locale } from './language.js'
import { inTenths } from './plural.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const now = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second')
const minutes = inUnits('minute')
const hours = inUnits('hour')
const longMinutes = inUnits('minute', 'short')
const longHours = inUnits('hour', 'short')
const longDays = inUnits('day', 'short')
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
const dayAndTime = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})

export function timeAgo(iso: string): string {
  const at = Date.parse(iso)
  const age = Date.now() - at
  if (age < MINUTE) return now
  if (age < HOUR) return minutes.format(Math.floor(age / MINUTE))
  if (age < DAY) return hours.format(Math.floor(age / HOUR))
  return (age < 6 * DAY ? weekday : day).format(at)
}

/** The time of day, with the day when it is not today's. Empty without a time. */
export function sinceTime(iso: string | undefined): string {
  if (iso === undefined) return ''
  const at = new Date(iso)
  const isToday = at.toDateString() === new Date().toDateString()
  return (isToday ? time : dayAndTime).format(at)
}

export function duration(ms: number): string {
  if (ms < 9_950) return `${inTenths(ms / 1_000)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** In the largest unit that fits: 12 min, 3 hr, 2 days. */
export function age(ms: number): string {
  if (ms < HOUR) return longMinutes.format(Math.floor(ms / MINUTE))
  if (ms < DAY) return longHours.format(Math.floor(ms / HOUR))
  return longDays.format(Math.floor(ms / DAY))
}

/** Minutes and seconds: 4:07. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

type Unit = 'minute' | 'hour' | 'day'

function inUnits(unit: Unit, unitDisplay: 'narrow' | 'short' = 'narrow'): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay })
}
