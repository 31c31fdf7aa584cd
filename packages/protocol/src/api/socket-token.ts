// A token as a WebSocket subprotocol, for pages of other origins: browsers set no headers on a WebSocket.

const PROTOCOL = 'quayside'
const TOKEN = 'quayside.bearer.'

/** The subprotocols that a client with a token offers. */
export function offerToken(token: string): string[] {
  // The encoding leaves parentheses, which a subprotocol must not have.
  const encoded = encodeURIComponent(token).replaceAll('(', '%28').replaceAll(')', '%29')
  return [PROTOCOL, TOKEN + encoded]
}

/** The token in the header of the offered subprotocols. */
export function findOfferedToken(header: string): string | undefined {
  const offered = header.split(',').map((one) => one.trim())
  const encoded = offered.find((one) => one.startsWith(TOKEN))?.slice(TOKEN.length)
  try {
    return encoded ? decodeURIComponent(encoded) : undefined
  } catch {
    return undefined
  }
}

/** The subprotocol that the hub selects: never the token, which the response would repeat. */
export function selectProtocol(offered: Iterable<string>): string | false {
  return [...offered].find((one) => !one.startsWith(TOKEN)) ?? false
}
