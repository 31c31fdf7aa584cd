// A temporary folder for a hub: a real git repository, the agents of the benchmarks as extensions, a data directory.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const TOKEN = 'a-token-for-benchmarks-only'
export const AGENT = fileURLToPath(new URL('../load/load-agent.mjs', import.meta.url))
export const DEMO = fileURLToPath(
  new URL('../../packages/demo-agent/bundle/main.js', import.meta.url),
)
const AGENTS = { load: AGENT, demo: DEMO }
const FILES_A_FOLDER = 100

/** Removed at the end of the process, also after a failure. */
const OPEN = new Set()
process.once('exit', () => {
  for (const workspace of OPEN) workspace.remove()
})

export class Workspace {
  folder
  env

  /** `files`: the size of the repository. */
  constructor(files = 3) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-bench-')))
    OPEN.add(this)
    const extensions = join(this.folder, 'extensions')
    writeExtensions(extensions)
    makeRepository(this.repository, files)
    mkdirSync(this.dataDir)
    this.env = {
      QUAYSIDE_DATA_DIR: this.dataDir,
      QUAYSIDE_EXTENSIONS: extensions,
      QUAYSIDE_TOKEN: TOKEN,
      QUAYSIDE_LOG_LEVEL: 'silent',
      QUAYSIDE_DEMO_PACE: '0',
      AGENT_MAX_SESSIONS: '64',
    }
  }

  get repository() {
    return join(this.folder, 'workspace/shop')
  }

  get dataDir() {
    return join(this.folder, 'data')
  }

  get database() {
    return join(this.dataDir, 'quayside.db')
  }

  remove() {
    OPEN.delete(this)
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Packed, like any repository of that size: git would pack it by itself, in the background of the measurements. */
export function makeRepository(path, files) {
  for (let index = 0; index < files; index += 1) {
    const folder = join(path, `src/${Math.floor(index / FILES_A_FOLDER)}`)
    if (index % FILES_A_FOLDER === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `file-${index}.ts`), `export const answer = ${index}\n`)
  }
  const settings = [
    'user.name=bench',
    'user.email=bench@example.com',
    'gc.auto=0',
    'maintenance.auto=false',
  ]
  const options = settings.flatMap((setting) => ['-c', setting])
  const git = (...args) =>
    execFileSync('git', [...options, ...args], { cwd: path, stdio: 'ignore' })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'first')
  git('repack', '-a', '-d', '--quiet')
  git('prune-packed', '--quiet')
}

function writeExtensions(folder) {
  const extensions = Object.entries(AGENTS).map(([id, program]) => {
    const common = { id, name: id, type: 'acp' }
    const manifest = { ...common, agent: { command: '${NODE}', args: [program] } }
    writeFile(join(folder, id, 'manifest.json'), JSON.stringify(manifest))
    return { ...common, path: id, enabled: true }
  })
  writeFile(join(folder, 'extensions.json'), JSON.stringify({ extensions }))
}

function writeFile(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
