// Node.js 22 for the tests of the client, at the version that tools/node pins, installed at first use.
import { installOnce, nodeIn } from './tools.mjs'

let home

/** The path of its program. Throws when it is missing and cannot be installed. */
export async function installNode22() {
  home ??= installOnce('node', '190 MB')
  return nodeIn(await home)
}
