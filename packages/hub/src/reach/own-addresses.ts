// The names and addresses under which other devices may find this machine.
import { hostname, networkInterfaces } from 'node:os'
import type { Config } from '../config/config.js'

const LOOPBACK = ['localhost', '127.0.0.1', '::1']
const WILDCARDS = new Set(['0.0.0.0', '::'])

/** True when the hub listens on every address of this machine. */
export function isWildcard(host: string): boolean {
  return WILDCARDS.has(host)
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host)
}

/** IPv4 addresses in the networks of this machine. */
export function networkAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
}

/** Everything that a certificate of this hub has to name. */
export function ownNames({ host, hostnames }: Config): readonly string[] {
  const listened = isWildcard(host) ? [hostname(), ...networkAddresses()] : [host]
  return [...new Set([...LOOPBACK, ...listened, ...hostnames].map((name) => name.toLowerCase()))]
}
