// Filters the headers of a preview: the hub's credentials never reach the program, and the program cannot set them.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** Cookies are shared by all ports of a host, so the browser sends the hub's own, too. */
const HUB_COOKIE = /^\s*(?:__Host-)?quayside/i
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
]

/** `target` is the program's own host; development servers refuse other names. */
export function requestHeaders(headers: IncomingHttpHeaders, target: string): OutgoingHttpHeaders {
  const { authorization: _, cookie, origin, referer: __, ...rest } = headers
  const cookies = (cookie ?? '')
    .split(';')
    .filter((pair) => pair.trim() !== '' && !HUB_COOKIE.test(pair))
  return {
    ...without(rest, HOP_BY_HOP),
    host: target,
    ...(origin !== undefined && { origin: `http://${target}` }),
    ...(cookies.length > 0 && { cookie: cookies.join(';').trim() }),
  }
}

/** Allows the hub's page to show the program in a frame. */
export function responseHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const { 'x-frame-options': _, 'set-cookie': cookies = [], ...rest } = headers
  const kept = cookies.filter((cookie) => !HUB_COOKIE.test(cookie))
  return {
    ...without(rest, HOP_BY_HOP),
    ...(kept.length > 0 && { 'set-cookie': kept }),
    'referrer-policy': 'no-referrer',
  }
}

function without(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}
