// Real agents for the tests, at the versions that tools/agents pins, installed at first use. The product never needs them.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installTools, makeOnce } from './tools.mjs'

const TOOLS = fileURLToPath(new URL('../tools/agents', import.meta.url))

let home

/** The path of the Gemini CLI. Throws when it is not there and cannot be installed. */
export async function installGemini() {
  home ??= install()
  return join(await home, 'node_modules/.bin/gemini')
}

/** The folder with the agents of the present lock file. */
async function install() {
  const folder = join(TOOLS, `.quayside-agents-${await hashOfLock()}`)
  return makeOnce(folder, async (staging) => {
    process.stderr.write('Installing real agents for the tests (100 MB, once) …\n')
    // With its optional terminal module, as people have it, because it behaves differently without.
    await installTools(TOOLS, staging, '--include=dev', '--include=optional')
    return staging
  })
}

async function hashOfLock() {
  const lock = await readFile(join(TOOLS, 'package-lock.json'))
  return createHash('sha256').update(lock).digest('hex').slice(0, 16)
}
