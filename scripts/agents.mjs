// Real agents for the tests, at the versions that tools/agents pins, installed at first use. The product never needs them.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TOOLS = fileURLToPath(new URL('../tools/agents', import.meta.url))
const FILES = ['package.json', 'package-lock.json']

let home

/** The path of the Gemini CLI. Throws when it is not there and cannot be installed. */
export async function installGemini() {
  home ??= install()
  return join(await home, 'node_modules/.bin/gemini')
}

/**
 * The folder with the agents of the present lock file.
 *
 * Each run installs into a folder of its own and the first to finish renames it into place, so that a folder of this name is
 * always whole and parallel runs do not meet.
 */
async function install() {
  const folder = join(TOOLS, `.quayside-agents-${await hashOfLock()}`)
  if (existsSync(folder)) return folder
  const staging = await mkdtemp(join(TOOLS, '.quayside-staging-'))
  try {
    for (const file of FILES) await cp(join(TOOLS, file), join(staging, file))
    process.stderr.write('Installing real agents for the tests (100 MB, once) …\n')
    // With its optional terminal module, as people have it, because it behaves differently without; nothing is compiled.
    const kinds = ['--include=dev', '--include=optional', '--ignore-scripts']
    await npm('ci', '--prefix', staging, ...kinds, '--no-audit', '--no-fund')
    await rename(staging, folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  return folder
}

async function hashOfLock() {
  const lock = await readFile(join(TOOLS, 'package-lock.json'))
  return createHash('sha256').update(lock).digest('hex').slice(0, 16)
}

function npm(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.stderr.on('data', (data) => (output += data))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`npm ${args[0]} in tools/agents failed: ${output.trim().slice(-500)}`))
    })
  })
}
