// The agent configuration a repository brings along: what a person is asked to trust, and a hash that tells when it
// changed. Pure reading; what is too much to read counts as changed every time.
import { createHash, type Hash, randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isInnerPath } from './git.js'
import { readRegularFile } from './git-folder.js'

export type AgentConfig = {
  /** Relative to the repository, sorted. */
  readonly files: readonly string[]
  /** The same as long as names and contents are; never the same when `isComplete` is false. */
  readonly hash: string
  readonly isComplete: boolean
}

/** Settings here can name commands that an agent runs when it starts. Texts such as AGENTS.md cannot. */
const CONFIG_NAMES = [
  '.gemini',
  '.claude',
  '.mcp.json',
  '.codex',
  '.qwen',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
  '.cursor',
]
/** Claude Code keeps work trees here: whole repositories, no configuration of this one. */
const SKIPPED = new Set(['.claude/worktrees'])
const MAX_FILES = 10_000
const MAX_TOTAL_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 12

/** `cwd` is where the agent will work: configuration counts in each folder from the repository down to it. */
export async function readAgentConfig(repoPath: string, cwd = repoPath): Promise<AgentConfig> {
  const reading = new ConfigReading(repoPath)
  for (const folder of foldersDownTo(repoPath, cwd))
    for (const name of CONFIG_NAMES) await reading.add(join(folder, name), 0)
  return reading.result()
}

function foldersDownTo(repoPath: string, cwd: string): string[] {
  const path = relative(repoPath, cwd)
  const names = path === '' || !isInnerPath(path) ? [] : path.split('/')
  return [repoPath, ...names.map((_, at) => join(repoPath, ...names.slice(0, at + 1)))]
}

class ConfigReading {
  readonly #repoPath: string
  readonly #hash: Hash = createHash('sha256')
  readonly #files: string[] = []
  #totalBytes = 0
  #isComplete = true

  constructor(repoPath: string) {
    this.#repoPath = repoPath
  }

  /** Follows links, as an agent does: what counts is what it would read. */
  async add(path: string, depth: number): Promise<void> {
    const name = relative(this.#repoPath, path)
    const stats = await stat(path).catch(() => undefined)
    if (stats === undefined || SKIPPED.has(name)) return
    if (stats.isDirectory()) await this.#addFolder(path, depth)
    else await this.#addFile(path, name, stats)
  }

  result(): AgentConfig {
    // Fails closed: a hash nobody has seen before.
    if (!this.#isComplete) this.#hash.update(randomUUID())
    const files = this.#files.toSorted()
    return { files, hash: this.#hash.digest('hex'), isComplete: this.#isComplete }
  }

  async #addFolder(path: string, depth: number): Promise<void> {
    const names = depth < MAX_DEPTH ? await readdir(path).catch(() => undefined) : undefined
    if (names === undefined) this.#isComplete = false
    for (const name of names?.toSorted() ?? [])
      if (this.#isComplete) await this.add(join(path, name), depth + 1)
  }

  async #addFile(path: string, name: string, stats: Stats): Promise<void> {
    this.#totalBytes += stats.size
    if (this.#files.length >= MAX_FILES || this.#totalBytes > MAX_TOTAL_BYTES)
      this.#isComplete = false
    if (!this.#isComplete) return
    this.#files.push(name)
    // A length before each part, so that no two lists of files read the same.
    this.#hash.update(`${Buffer.byteLength(name)}:${name}`)
    // Nobody's settings are in a pipe or a device, and reading one may never end.
    if (!stats.isFile()) return
    const content = await readRegularFile(path, MAX_TOTAL_BYTES)
    if (content === undefined) this.#isComplete = false
    else this.#hash.update(`${content.length}:`).update(content)
  }
}
