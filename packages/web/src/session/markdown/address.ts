// Decides which addresses in an agent's text become links, and formats their host.

const LINKED = new Set(['http:', 'https:', 'mailto:'])

/** Undefined for addresses that must not be links: scripts, data, files and invalid addresses. */
export function linkable(address: string): URL | undefined {
  // A relative address would point to the hub itself.
  if (!/^[a-z][a-z\d+.-]*:/i.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return LINKED.has(url.protocol) ? url : undefined
}

/** The real host name: look-alike letters are shown in Punycode. */
export function hostOf({ protocol, host, pathname }: URL): string {
  return protocol === 'mailto:' ? pathname : host
}

/** True when a link's text begins with the host that it leads to: only then a reader sees it without help. */
export function namesHost(text: string, url: URL): boolean {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, '')
  const host = hostOf(url).toLowerCase()
  // More letters, a port or an @ would make it another host.
  return said.startsWith(host) && /^(?:[/?#]|$)/.test(said.slice(host.length))
}

/** True for media of the hub and small inline images; never for other origins. */
export function isOwnPicture(address: string): boolean {
  return (
    /^\/media\/[\w-]+$/.test(address) ||
    /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+$/.test(address)
  )
}
