// The form of a REST address, such as `POST /api/sessions/{sessionId}/prompt`.

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** A name in braces is a field of the command's input. */
export type Address = `${Method} /${string}`

type ParsedAddress = {
  readonly method: Lowercase<Method>
  readonly path: string
  /** The names in the path, in their order. */
  readonly names: readonly string[]
}

const NAME_IN_PATH = /\{(\w+)\}/g

/** `GET /media/{mediaId}` has the method `get`, the path `/media/{mediaId}` and the name `mediaId`. */
export function parseAddress(address: Address): ParsedAddress {
  const [method = '', path = ''] = address.split(' ')
  return {
    method: method.toLowerCase() as Lowercase<Method>,
    path,
    names: [...path.matchAll(NAME_IN_PATH)].map(([, name = '']) => name),
  }
}

/** Replaces each name of a path with its braces: with `:${name}`, `/media/{mediaId}` becomes `/media/:mediaId`. */
export function replaceNames(path: string, replace: (name: string) => string): string {
  return path.replaceAll(NAME_IN_PATH, (_, name: string) => replace(name))
}
