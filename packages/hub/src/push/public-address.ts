// Checks the address of a push service. Browsers supply it, so it could point into the private network.
import { lookup as resolveName } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const NOT_PUBLIC = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(network, bits)
// Tunnel and documentation ranges inside the public IPv6 range.
NOT_PUBLIC.addSubnet('2001::', 32, 'ipv6')
NOT_PUBLIC.addSubnet('2001:db8::', 32, 'ipv6')
NOT_PUBLIC.addSubnet('2002::', 16, 'ipv6')

const IPV6_PUBLIC = new BlockList()
IPV6_PUBLIC.addSubnet('2000::', 3, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !NOT_PUBLIC.check(address)
  return (
    isIP(address) === 6 && IPV6_PUBLIC.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
  )
}

/** The reason to refuse a push address before anything is sent; undefined for an acceptable one. */
export function findRefusal(endpoint: URL, ownOrigins: readonly string[]): string | undefined {
  if (ownOrigins.includes(endpoint.origin)) return undefined
  if (endpoint.protocol !== 'https:') return 'The address of a push service must use https.'
  if (endpoint.username !== '' || endpoint.password !== '' || endpoint.port !== '')
    return 'The address of a push service must not contain a port or a password.'
  if (isIP(endpoint.hostname.replace(/^\[|\]$/g, '')) !== 0 || !endpoint.hostname.includes('.'))
    return 'The address of a push service must have a public host name.'
  return undefined
}

/** Resolves a name while connecting, so that a later DNS answer cannot point into the private network. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || first === undefined)
      return callback(error ?? new Error(`${hostname} has no address.`), '')
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new Error(`${hostname} resolves to an address that is not public.`), '')
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}
