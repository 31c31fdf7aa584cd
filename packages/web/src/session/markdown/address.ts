// Which addresses that an agent wrote become links, and what a person is told of where they lead.

const LINKED = new Set(['http:', 'https:', 'mailto:'])

/** Undefined for what must not be followed: scripts, data, files, and what is no address at all. */
export function linkable(address: string): URL | undefined {
  // A relative address would be one of the hub itself.
  if (!/^[a-z][a-z\d+.-]*:/i.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return LINKED.has(url.protocol) ? url : undefined
}

/** The host in the letters of its real name: look-alikes are shown in Punycode. */
export function hostOf({ protocol, host, pathname }: URL): string {
  return protocol === 'mailto:' ? pathname : host
}

/** What the hub itself keeps, or a small picture in the text; never one from elsewhere. */
export function isOwnPicture(address: string): boolean {
  return (
    /^\/media\/[\w-]+$/.test(address) ||
    /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+$/.test(address)
  )
}
