// The set-up installs packages only when npm has not done so, with a real npm and a package of this folder.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const SETUP = fileURLToPath(new URL('../scripts/setup.mjs', import.meta.url))
const INSTALL = "import('./scripts/setup.mjs').then(({ install }) => install())"

const clone = mkdtempSync(join(tmpdir(), 'quayside-install-'))
afterAll(() => rmSync(clone, { recursive: true, force: true }))

test('packages that `npm ci` has installed are not installed again, until the lock file changes', () => {
  cpSync(SETUP, join(clone, 'scripts', 'setup.mjs'))
  depend('one')
  npm('ci')
  expect(install()).toBe('')
  expect(install()).toBe('')

  depend('one', 'two')
  expect(install()).toContain('Installing packages')
  expect(install()).toBe('')
})

/** Writes package.json and the lock file. */
function depend(...names: string[]): void {
  for (const name of names) {
    mkdirSync(join(clone, name), { recursive: true })
    writeJson(`${name}/package.json`, { name, version: '1.0.0' })
  }
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:${name}`]))
  writeJson('package.json', { name: 'clone', dependencies })
  npm('install', '--package-lock-only')
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(join(clone, file), JSON.stringify(value))
}

function npm(...args: string[]): void {
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], {
    cwd: clone,
    stdio: 'pipe',
  })
}

/** The lines of the set-up, without those of npm. */
function install(): string {
  const { stderr } = spawnSync(process.execPath, ['-e', INSTALL], { cwd: clone, encoding: 'utf8' })
  return stderr
    .split('\n')
    .filter((line) => !line.startsWith('npm '))
    .join('\n')
}
