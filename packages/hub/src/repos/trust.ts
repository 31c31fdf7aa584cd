// The agent configuration in a repository: lists the files that a person is asked to trust, and hashes their contents.
// Configuration that is too large to read gets a new hash every time.
import { createHash, type Hash, randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { undefinedIfUnreadable } from '../system-errors.js'
import { isInnerPath } from './git/git.js'
import { readRegularFile } from './git/git-folder.js'

/**
 * The paths from which agents read settings. Settings can name commands that an agent runs when it starts; texts for the
 * model such as AGENTS.md cannot, and are not listed.
 */
export type AgentConfigPaths = {
  /** Files and folders, in the repository itself and in each folder down to the one the agent works in. */
  readonly configPaths: readonly string[]
  /** Folders below `configPaths` without configuration, relative to the repository. */
  readonly excludedPaths: readonly string[]
}

export type AgentConfig = {
  /** Relative to the repository, sorted. */
  readonly files: readonly string[]
  /** The same as long as names and contents are; never the same when `isComplete` is false. */
  readonly hash: string
  readonly isComplete: boolean
}

const MAX_FILES = 10_000
const MAX_TOTAL_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 12

/** `cwd` is the folder the agent will work in. Configuration counts in each folder from the repository down to it. */
export async function readAgentConfig(
  repoPath: string,
  { configPaths, excludedPaths }: AgentConfigPaths,
  cwd = repoPath,
): Promise<AgentConfig> {
  const reading = new ConfigReading(repoPath, excludedPaths)
  for (const folder of foldersDownTo(repoPath, cwd))
    for (const path of configPaths) await reading.add(join(folder, path), 0)
  return reading.result()
}

function foldersDownTo(repoPath: string, cwd: string): string[] {
  const path = relative(repoPath, cwd)
  const names = path === '' || !isInnerPath(path) ? [] : path.split('/')
  return [repoPath, ...names.map((_, at) => join(repoPath, ...names.slice(0, at + 1)))]
}

class ConfigReading {
  readonly #repoPath: string
  readonly #excludedPaths: ReadonlySet<string>
  readonly #hash: Hash = createHash('sha256')
  readonly #files = new Set<string>()
  #totalBytes = 0
  #isComplete = true

  constructor(repoPath: string, excludedPaths: readonly string[]) {
    this.#repoPath = repoPath
    this.#excludedPaths = new Set(excludedPaths)
  }

  /** Follows links, as an agent does. */
  async add(path: string, depth: number): Promise<void> {
    const name = relative(this.#repoPath, path)
    // One listed path may lie below another.
    if (this.#excludedPaths.has(name) || this.#files.has(name)) return
    const stats = await stat(path).catch(() => undefined)
    if (stats === undefined) return
    if (stats.isDirectory()) await this.#addFolder(path, depth)
    else await this.#addFile(path, name, stats)
  }

  result(): AgentConfig {
    // Fails closed: a random hash matches no trusted one.
    if (!this.#isComplete) this.#hash.update(randomUUID())
    const files = [...this.#files].toSorted()
    return { files, hash: this.#hash.digest('hex'), isComplete: this.#isComplete }
  }

  async #addFolder(path: string, depth: number): Promise<void> {
    const names = depth < MAX_DEPTH ? await readdir(path).catch(undefinedIfUnreadable) : undefined
    if (names === undefined) this.#isComplete = false
    for (const name of names?.toSorted() ?? [])
      if (this.#isComplete) await this.add(join(path, name), depth + 1)
  }

  async #addFile(path: string, name: string, stats: Stats): Promise<void> {
    this.#totalBytes += stats.size
    if (this.#files.size >= MAX_FILES || this.#totalBytes > MAX_TOTAL_BYTES)
      this.#isComplete = false
    if (!this.#isComplete) return
    this.#files.add(name)
    // A length before each part, so that no two lists of files hash the same.
    this.#hash.update(`${Buffer.byteLength(name)}:${name}`)
    // A pipe or a device holds no settings, and reading one may never end.
    if (!stats.isFile()) return
    const content = await readRegularFile(path, MAX_TOTAL_BYTES)
    if (content === undefined) this.#isComplete = false
    else this.#hash.update(`${content.length}:`).update(content)
  }
}
