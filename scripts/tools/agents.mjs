// Real agents for the tests, at the versions that tools/agents pins, installed at first use. The product never needs them.
import { join } from 'node:path'
import { installOnce } from './tools.mjs'

let home

/** The path of the Gemini CLI. Throws when it is missing and cannot be installed. */
export async function installGemini() {
  // With its optional terminal module, as users have it: it behaves differently without it.
  home ??= installOnce('agents', '100 MB')
  return join(await home, 'node_modules/.bin/gemini')
}
