// `npm run package`: builds the npm package `quayside` into release/, as one file that installs with nothing but third-party packages.
// It is laid out like a clone without sources, so that every path in it is the same in both.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run, setUp } from './setup.mjs'

const STAGE = join(ROOT, 'node_modules', '.quayside', 'package')
const RELEASE = join(ROOT, 'release')
/** Found by their paths; the libraries are found by their names. */
const PARTS = ['hub', 'web', 'demo-agent']
const LIBRARIES = ['protocol', 'client']
/** Of no use without the sources. */
const LEFT_OUT = ['.map', '.tsbuildinfo']

setUp()
rmSync(STAGE, { recursive: true, force: true })
for (const name of PARTS) copyBuilt(name, join('packages', name))
for (const name of LIBRARIES) copyBuilt(name, join('node_modules', '@quayside', name))
for (const path of ['extensions', 'packages/hub/migrations', 'README.md', 'LICENSE'])
  cpSync(join(ROOT, path), join(STAGE, path), { recursive: true })
writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
mkdirSync(RELEASE, { recursive: true })
run('npm', ['pack', '--silent', '--pack-destination', RELEASE], { cwd: STAGE })

function copyBuilt(name, target) {
  const from = join(ROOT, 'packages', name)
  const filter = (path) => !LEFT_OUT.some((ending) => path.endsWith(ending))
  cpSync(join(from, 'dist'), join(STAGE, target, 'dist'), { recursive: true, filter })
  cpSync(join(from, 'package.json'), join(STAGE, target, 'package.json'))
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
    ...JSON.parse(entries.replaceAll('"./dist/', '"./packages/hub/dist/')),
    files: ['packages', 'extensions'],
    dependencies: Object.fromEntries([...others, ...libraries.map((one) => [one, version])]),
    bundleDependencies: libraries,
  }
}

function read(name) {
  return JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'))
}
