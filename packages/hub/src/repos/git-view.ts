// A repository as the hub lets git see it: its objects, branches and a copy of its index under settings of our own.
// Its own settings are not there, so filters, hooks, monitors and whatever git invents next have no name to run.
import { mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempFolder, removeTempFolder } from '../temp-folders.js'
import { GitError, runGit } from './git.js'
import { findGitFolder, type GitFolder, readRegularFile, readSmallFile } from './git-folder.js'
import { type GitSettings, readSettings } from './git-settings.js'

export type GitViewOptions = {
  /** Where new objects go; by default they are gone with the view. */
  readonly objects?: string
  /** Further folders with objects to read. */
  readonly alternates?: readonly string[]
}

const MAX_INDEX_BYTES = 512 * 1024 * 1024
/** Read in place: data alone. What is missing stays a link to nothing, which git takes for missing. */
const LINKED = [
  'refs',
  'packed-refs',
  'reftable',
  'shallow',
  'info/exclude',
  'info/attributes',
  'info/sparse-checkout',
]

/** Take it, use it, let it go: `await using view = await openGitView(path)`. Nothing is written into the repository. */
export async function openGitView(
  workTree: string,
  options: GitViewOptions = {},
): Promise<GitView> {
  const folder = await findGitFolder(workTree)
  if (folder === undefined) throw new GitError('not_a_repository')
  const head = await readHead(folder)
  const settings = await readSettings(folder, head.replace('ref: refs/heads/', ''))
  const place = await makeTempFolder('git')
  try {
    const objects = options.objects ?? join(place, 'objects')
    await furnish({ place, folder, head, settings, objects })
    const alternates = [join(folder.common, 'objects'), ...(options.alternates ?? [])]
    const env = { ...environment(place, workTree, settings), ...objectFolders(objects, alternates) }
    return new GitView(workTree, place, env)
  } catch (error) {
    await removeTempFolder(place)
    throw error
  }
}

export class GitView implements AsyncDisposable {
  readonly workTree: string
  readonly #place: string
  readonly #env: Readonly<Record<string, string>>

  constructor(workTree: string, place: string, env: Readonly<Record<string, string>>) {
    this.workTree = workTree
    this.#place = place
    this.#env = env
  }

  run(args: readonly string[], input?: Buffer): Promise<Buffer> {
    const call = { cwd: this.workTree, env: this.#env }
    return runGit(args, input === undefined ? call : { ...call, input })
  }

  async line(args: readonly string[]): Promise<string> {
    return (await this.run(args)).toString('utf8').trim()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeTempFolder(this.#place)
  }
}

/** A branch without commits is a fine HEAD; anything that is no HEAD is not passed on. */
async function readHead({ own }: GitFolder): Promise<string> {
  const head = (await readSmallFile(join(own, 'HEAD')))?.trim() ?? ''
  if (/^(ref: refs\/.+|[0-9a-f]{40}|[0-9a-f]{64})$/.test(head)) return head
  throw new GitError('not_a_repository')
}

type Furniture = {
  readonly place: string
  readonly folder: GitFolder
  readonly head: string
  readonly settings: GitSettings
  readonly objects: string
}

async function furnish({ place, folder, head, settings, objects }: Furniture): Promise<void> {
  await mkdir(join(place, 'info'))
  await mkdir(objects, { recursive: true })
  const format = settings.extensions.map(([name, value]) => `\t${name.split('.')[1]} = ${value}\n`)
  const version = format.length > 0 ? 1 : 0
  const config = `[core]\n\trepositoryformatversion = ${version}\n[extensions]\n${format.join('')}`
  await Promise.all([
    writeFile(join(place, 'config'), config),
    writeFile(join(place, 'HEAD'), `${head}\n`),
    ...LINKED.map((name) => symlink(join(folder.common, name), join(place, name))),
    ...(await indexFiles(folder)).map((name) =>
      copyIndex(join(folder.own, name), join(place, name)),
    ),
  ])
}

/** A split index keeps most of itself in a second file. */
async function indexFiles({ own }: GitFolder): Promise<string[]> {
  const names = await readdir(own).catch(() => [])
  return names.filter((name) => name === 'index' || /^sharedindex\.[0-9a-f]+$/.test(name))
}

/**
 * With its time: git trusts an entry only if the index was written after the file. Whole seconds, rounded down, at worst
 * make git compare a few files more.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const stats = await stat(from).catch(() => undefined)
  const bytes = await readRegularFile(from, MAX_INDEX_BYTES)
  if (stats === undefined || bytes === undefined) return
  await writeFile(to, bytes)
  const seconds = Math.floor(stats.mtimeMs / 1000)
  await utimes(to, seconds, seconds)
}

function environment(
  place: string,
  workTree: string,
  { values }: GitSettings,
): Record<string, string> {
  const settings = values.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    GIT_DIR: place,
    GIT_WORK_TREE: workTree,
    GIT_INDEX_FILE: join(place, 'index'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: String(values.length),
    ...Object.fromEntries(settings),
  }
}

function objectFolders(objects: string, alternates: readonly string[]): Record<string, string> {
  return {
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates.map(quoted).join(':'),
  }
}

/** The list is separated by colons, which a path may hold. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
