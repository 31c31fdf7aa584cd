// Makes a clone ready to run: installs packages and builds sources, if they changed.
// Imports only Node's own modules, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STAMPS = join(ROOT, 'node_modules', '.quayside')
const MIN_NODE = [20, 19]
/** stdout belongs to the command that runs afterwards. */
const TO_STDERR = { stdio: ['inherit', 2, 2] }
/** Compiled by tsc; Rolldown bundles the programs, Vite the web app. */
const BUILT = ['protocol', 'client', 'demo-agent', 'hub'].map((name) => `packages/${name}`)

const OUTPUTS = [
  ...[...BUILT, 'packages/web'].map((folder) => `${folder}/dist`),
  ...['packages/hub', 'packages/demo-agent'].map((folder) => `${folder}/bundle`),
]

/** Installs and builds if the lock file or the sources changed. */
export function setUp() {
  requireNode()
  install()
  build()
}

export function install() {
  const lock = hashOf([readFileSync(join(ROOT, 'package-lock.json'), 'utf8'), process.version])
  if (isStamped('installed', lock)) return
  if (!isFreshFromNpm()) {
    say('Installing packages (once; about a minute) …')
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], TO_STDERR)
  }
  stamp('installed', lock)
}

/** True after `npm ci` by a person, which removes the stamps: then npm's own record must contain all packages. */
function isFreshFromNpm() {
  const record = join(ROOT, 'node_modules', '.package-lock.json')
  if (existsSync(join(STAMPS, 'installed')) || !existsSync(record)) return false
  const installed = packagesIn(record)
  const { '': _workspace, ...wanted } = packagesIn(join(ROOT, 'package-lock.json'))
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
    const found = installed[path]
    // npm leaves out packages for other platforms.
    if (found === undefined) return optional || devOptional
    return found.version === version && found.integrity === integrity
  })
}

function packagesIn(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages
}

export function build() {
  const sources = hashOf(listSources())
  if (isStamped('built', sources) && OUTPUTS.every((file) => existsSync(join(ROOT, file)))) return
  say('Building …')
  run(process.execPath, [bin('typescript', 'bin/tsc'), '-b', ...BUILT], TO_STDERR)
  run(process.execPath, ['scripts/bundle.mjs'], TO_STDERR)
  // Overrides the environment: a development build is slow and contains paths of this machine.
  const env = { ...process.env, NODE_ENV: 'production' }
  const vite = [bin('vite', 'bin/vite.js'), 'build', 'packages/web', '--logLevel=warn']
  run(process.execPath, vite, { ...TO_STDERR, env })
  stamp('built', sources)
}

/** The entry file of an installed package's command; run with Node it needs no shell and no PATH. */
export function bin(packageName, path) {
  return join(ROOT, 'node_modules', packageName, path)
}

/** Runs a command in the workspace; exits this process when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options })
  if (error) fail(`${command} could not be run: ${error.message}`)
  if (status !== 0) fail(`${command} ${args.join(' ')} failed; see above.`)
}

/** Runs Node.js programs side by side; exits this process when one fails, after the end of all. */
export async function runAll(programs) {
  const ends = programs.map((args) =>
    once(spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }), 'exit'),
  )
  const statuses = await Promise.all(ends)
  const failed = statuses.findIndex(([status]) => status !== 0)
  if (failed !== -1) fail(`${programs[failed].join(' ')} failed; see above.`)
}

export function fail(message) {
  process.stderr.write(`quayside: ${message}\n`)
  process.exit(1)
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const isOld = major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])
  if (isOld)
    fail(`Quayside needs Node.js ${MIN_NODE.join('.')} or newer; this is ${process.versions.node}.`)
}

function say(text) {
  process.stderr.write(`${text}\n`)
}

function* listSources() {
  yield readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  for (const file of ['tsconfig.base.json', 'tsconfig.json', 'scripts/bundle.mjs'])
    yield describe(join(ROOT, file))
  for (const name of readdirSync(join(ROOT, 'packages'))) yield* walk(join(ROOT, 'packages', name))
}

function* walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.name === 'dist' || entry.name === 'bundle' || entry.name === 'node_modules') continue
    if (entry.isDirectory()) yield* walk(path)
    else yield describe(path)
  }
}

function describe(path) {
  const { mtimeMs, size } = statSync(path)
  return `${path} ${mtimeMs} ${size}`
}

function hashOf(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part}\n`)
  return hash.digest('hex')
}

function isStamped(name, value) {
  const file = join(STAMPS, name)
  return existsSync(file) && readFileSync(file, 'utf8') === value
}

function stamp(name, value) {
  const file = join(STAMPS, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, value)
}
