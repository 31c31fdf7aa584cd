// `npm run package`: builds the npm packages `quayside` and `@quayside/client` into release/, each as one file.
// That of the hub needs only third-party packages, and is laid out like a clone without sources: every path is the same in both.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ROOT, run, setUp } from './setup.mjs'

const STAGE = join(ROOT, 'node_modules', '.quayside', 'package')
const CLIENT_STAGE = join(ROOT, 'node_modules', '.quayside', 'client-package')
const RELEASE = join(ROOT, 'release')
/** Located by path; the libraries are located by name. */
const PARTS = ['hub/bundle', 'hub/migrations', 'web/dist', 'demo-agent/bundle']
const LIBRARIES = ['protocol']
/** Useless without the sources. */
const LEFT_OUT = ['.map', '.tsbuildinfo']
/** The hub serves the compressed copy of an asset in its place. */
const isCopied = (file) => existsSync(`${file}.br`)

setUp()
// Its dependencies are installed only now.
const { layOutClient, clientManifest } = await import('./package-client.mjs')
await layOutClient(CLIENT_STAGE)
rmSync(STAGE, { recursive: true, force: true })
for (const part of PARTS) copy(join('packages', part))
// Type declarations for programs that import the hub.
copy('packages/hub/dist', { only: '.d.ts' })
for (const name of LIBRARIES) {
  const library = join('node_modules', '@quayside', name)
  copy(join('packages', name, 'dist'), { to: join(library, 'dist') })
  copy(join('packages', name, 'package.json'), { to: join(library, 'package.json') })
}
// For programs that have the hub's package: `quayside/client`.
cpSync(join(CLIENT_STAGE, 'dist'), join(STAGE, 'packages', 'client', 'dist'), { recursive: true })
for (const path of ['packages/hub/package.json', 'extensions', 'README.md', 'LICENSE']) copy(path)
writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
mkdirSync(RELEASE, { recursive: true })
for (const cwd of [STAGE, CLIENT_STAGE])
  run('npm', ['pack', '--silent', '--pack-destination', RELEASE], { cwd })

function copy(path, { to = path, only = '' } = {}) {
  const filter = (from) =>
    statSync(from).isDirectory() ||
    (from.endsWith(only) && !isCopied(from) && !LEFT_OUT.some((ending) => from.endsWith(ending)))
  cpSync(join(ROOT, path), join(STAGE, to), { recursive: true, filter })
}

function manifest() {
  const { name, version, description, license, type, engines, dependencies, ...hub } = read('hub')
  const client = Object.entries(clientManifest().exports).map(([path, entry]) => [
    path.replace('.', './client'),
    inFolder('packages/client', entry),
  ])
  const libraries = LIBRARIES.map((library) => `@quayside/${library}`)
  const others = Object.entries({ ...read('demo-agent').dependencies, ...dependencies }).filter(
    ([dependency]) => !dependency.startsWith('@quayside/'),
  )
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: inFolder('packages/hub', hub.bin),
    exports: { '.': inFolder('packages/hub', hub.exports['.']), ...Object.fromEntries(client) },
    files: ['packages', 'extensions'],
    dependencies: Object.fromEntries([...others, ...libraries.map((one) => [one, version])]),
    bundleDependencies: libraries,
  }
}

/** The paths of a manifest's entry, in a folder of the package. */
function inFolder(folder, paths) {
  return Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [name, path.replace('.', `./${folder}`)]),
  )
}

function read(name) {
  return JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'))
}
