// Third-party ACP clients for the tests, at the versions that tools/clients pins, installed at first use.
import { join } from 'node:path'
import { installOnce, nodeIn } from './tools.mjs'

let home

/** The command of acpx: a program and its first arguments. Throws when it is missing and cannot be installed. */
export async function installAcpx() {
  home ??= installOnce('clients', '150 MB')
  // acpx needs a newer Node.js than the hub.
  return [nodeIn(await home), join(await home, 'node_modules/acpx/dist/cli.js')]
}
