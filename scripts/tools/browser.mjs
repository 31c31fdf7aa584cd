// Finds a Chromium for the browser tests: CHROMIUM_PATH, one installed on this machine, or the one npm carries.
// Every candidate is launched once before it is returned, because an existing file may still not start.
import { existsSync, createReadStream, createWriteStream, constants } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { chromium } from 'playwright-core'
import { canAccess, installTools, makeOnce, withHome } from './tools.mjs'

const TOOLS = fileURLToPath(new URL('../../tools/browser/', import.meta.url))
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

let found

/** The `{ executablePath, args, env }` for playwright-core's `chromium.launch`. Throws when none is found. */
export function findChromium() {
  found ??= search()
  return found
}

async function search() {
  const failures = []
  for (const find of [chosen, installed, fromNpm]) {
    for (const candidate of await find(failures)) {
      const failure = await whyItFails(candidate)
      if (!failure) return candidate
      failures.push(`${candidate.executablePath}: ${failure}`)
    }
    // A path that a person set is never silently replaced by another one.
    if (find === chosen && failures.length > 0) break
  }
  throw new Error(
    [
      'No Chromium that starts was found for the browser tests.',
      ...failures.map((failure) => `  tried ${failure}`),
      'Install one (Debian, Ubuntu: apt-get install chromium; macOS: Google Chrome) or set CHROMIUM_PATH.',
    ].join('\n'),
  )
}

function chosen() {
  const path = process.env.CHROMIUM_PATH
  return path ? [launchOptions(path)] : []
}

function installed() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...paths, ...MAC_APPS].filter(isExecutable).map((path) => launchOptions(path))
}

async function fromNpm(failures) {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  try {
    const home = await unpacked()
    const executablePath = join(home, 'chromium')
    const env = { FONTCONFIG_PATH: home }
    const libraries = [join(home, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
    // The machine's own libraries first; the package's are for machines without NSS and expat.
    return [env, { ...env, LD_LIBRARY_PATH: libraries }].map((extra) =>
      launchOptions(executablePath, extra),
    )
  } catch (error) {
    failures.push(`the npm package @sparticuz/chromium: ${error.message}`)
    return []
  }
}

function launchOptions(executablePath, extra = {}) {
  // Chromium refuses to sandbox root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return { executablePath, args, env: { ...withHome(), ...extra } }
}

async function whyItFails(candidate) {
  try {
    const browser = await chromium.launch({ ...candidate, timeout: 30_000 })
    try {
      const page = await browser.newPage()
      await page.goto('data:text/html,<title>ready</title>')
      return (await page.title()) === 'ready' ? undefined : 'it opened a page but did not render it'
    } finally {
      await browser.close()
    }
  } catch (error) {
    const lines = stripVTControlCharacters(error.message).split('\n')
    return (lines.find((line) => line.includes('[err]')) ?? lines[0]).trim()
  }
}

/**
 * The folder with the npm package's Chromium, installed and unpacked at first use. The package itself would unpack to
 * fixed names in /tmp, where users and parallel runs would collide.
 */
async function unpacked() {
  const lock = JSON.parse(await readFile(join(TOOLS, 'package-lock.json'), 'utf8'))
  const { version } = lock.packages['node_modules/@sparticuz/chromium']
  return makeOnce(join(TOOLS, `.quayside-chromium-${version}`), async (staging) => {
    const modules = await installedModules(staging)
    await unpackInto(join(staging, 'chromium'), modules)
    return join(staging, 'chromium')
  })
}

async function installedModules(staging) {
  if (existsSync(join(TOOLS, 'node_modules/@sparticuz/chromium/bin')))
    return join(TOOLS, 'node_modules')
  console.error('Installing Chromium for the browser tests (66 MB, once)…')
  await installTools(TOOLS, staging)
  return join(staging, 'node_modules')
}

async function unpackInto(folder, modules) {
  const { extract } = createRequire(join(modules, '@sparticuz/chromium/'))('tar-fs')
  const unpack = (name, target) =>
    pipeline(
      createReadStream(join(modules, '@sparticuz/chromium/bin', name)),
      createBrotliDecompress(),
      target,
    )
  await unpack('fonts.tar.br', extract(folder, { chown: false }))
  await unpack('al2023.tar.br', extract(folder, { chown: false }))
  await unpack('swiftshader.tar.br', extract(folder, { chown: false }))
  await unpack('chromium.br', createWriteStream(join(folder, 'chromium'), { mode: 0o755 }))
  await writeFile(join(folder, 'fonts.conf'), FONTS_CONF)
}

function isExecutable(path) {
  return canAccess(path, constants.X_OK)
}
