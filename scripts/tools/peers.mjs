// Programs of others for the benchmarks: those from npm at the versions that tools/peers pins, and websocketd from Debian.
// Installed at first use.
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installOnce, makeOnce } from './tools.mjs'

const PEERS = fileURLToPath(new URL('../../tools/peers', import.meta.url))

/** The folder of the installed package. Throws when it is missing and cannot be installed. */
export async function installPeer(name) {
  return join(await installOnce('peers', '60 MB'), 'node_modules', name)
}

/** The path of the native program of sandbox-agent, which npm installs without permission to run. */
export async function installSandboxAgent() {
  const name = `@sandbox-agent/cli-${process.platform}-${process.arch}`
  const program = join(await installPeer(name), 'bin/sandbox-agent')
  chmodSync(program, 0o755)
  return program
}

/** The path of websocketd: the machine's, or Debian's package, unpacked. Throws when there is neither. */
export async function installWebsocketd() {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
  try {
    return execFileSync('which', ['websocketd'], options).trim()
  } catch {
    const home = await makeOnce(join(PEERS, '.quayside-websocketd'), async (staging) => {
      execFileSync('apt-get', ['download', 'websocketd'], { ...options, cwd: staging })
      const [file] = readdirSync(staging).filter((name) => name.endsWith('.deb'))
      execFileSync('dpkg-deb', ['-x', file, '.'], { ...options, cwd: staging })
      return staging
    })
    return join(home, 'usr/bin/websocketd')
  }
}
