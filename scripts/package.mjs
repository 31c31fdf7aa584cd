// `npm run package`: builds the npm package `quayside` into release/, as one file that needs only third-party packages.
// It is laid out like a clone without sources, so that every path in it is the same in both.
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run, setUp } from './setup.mjs'

const STAGE = join(ROOT, 'node_modules', '.quayside', 'package')
const RELEASE = join(ROOT, 'release')
/** Located by path; the libraries are located by name. */
const PARTS = ['hub/bundle', 'hub/migrations', 'web/dist', 'demo-agent/bundle']
const LIBRARIES = ['protocol', 'client']
/** Useless without the sources. */
const LEFT_OUT = ['.map', '.tsbuildinfo']

setUp()
rmSync(STAGE, { recursive: true, force: true })
for (const part of PARTS) copy(join('packages', part))
// Type declarations for programs that import the hub.
copy('packages/hub/dist', { only: '.d.ts' })
for (const name of LIBRARIES) {
  const library = join('node_modules', '@quayside', name)
  copy(join('packages', name, 'dist'), { to: join(library, 'dist') })
  copy(join('packages', name, 'package.json'), { to: join(library, 'package.json') })
}
for (const path of ['packages/hub/package.json', 'extensions', 'README.md', 'LICENSE']) copy(path)
writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
mkdirSync(RELEASE, { recursive: true })
run('npm', ['pack', '--silent', '--pack-destination', RELEASE], { cwd: STAGE })

function copy(path, { to = path, only = '' } = {}) {
  const filter = (from) =>
    statSync(from).isDirectory() ||
    (from.endsWith(only) && !LEFT_OUT.some((ending) => from.endsWith(ending)))
  cpSync(join(ROOT, path), join(STAGE, to), { recursive: true, filter })
}

function manifest() {
  const { name, version, description, license, type, engines, dependencies, ...hub } = read('hub')
  const entries = JSON.stringify({ bin: hub.bin, exports: hub.exports })
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
    ...JSON.parse(entries.replaceAll('"./', '"./packages/hub/')),
    files: ['packages', 'extensions'],
    dependencies: Object.fromEntries([...others, ...libraries.map((one) => [one, version])]),
    bundleDependencies: libraries,
  }
}

function read(name) {
  return JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'))
}
