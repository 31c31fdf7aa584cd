// Every answer of a hub in a test must be in the table of commands: its status, or the code of the error.
import type { ErrorBody } from '@quayside/protocol'
import { errorsOf, type Route, ROUTES } from '@quayside/protocol/schemas'

/** Throws when a client that reads the documentation would be surprised. Addresses that are no route may answer as they like. */
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

function findRoute(method: string, pathname: string): Route | undefined {
  return ROUTES.find(
    (route) =>
      route.method === method.toLowerCase() &&
      new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  )
}
