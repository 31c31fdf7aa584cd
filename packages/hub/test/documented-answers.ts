// Checks every response of a hub in any test against the table of commands: the status, or the code of the error.
import type { ErrorBody } from '@quayside/protocol'
import { errorsOf, type Route, ROUTES } from '@quayside/protocol/schemas'

/** Throws for a response that the documentation does not list. Addresses outside the table are not checked. */
export async function requireDocumented(
  { method = 'GET' }: RequestInit,
  response: Response,
): Promise<void> {
  const { status, url } = response
  const route = findRoute(method, new URL(url).pathname)
  if (route === undefined || status in route.responses) return
  const body = (await response.clone().json()) as ErrorBody
  const documented: readonly string[] = errorsOf(route)
  if (documented.includes(body.error.code)) return
  throw new Error(`${method} ${route.path} answers ${status} ${body.error.code}: not documented.`)
}

const PATTERNS = new Map(
  ROUTES.map((route) => [route, new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)]),
)

function findRoute(method: string, pathname: string): Route | undefined {
  return ROUTES.find(
    (route) => route.method === method.toLowerCase() && PATTERNS.get(route)!.test(pathname),
  )
}
