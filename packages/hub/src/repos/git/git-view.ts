// The view of a repository that the hub gives to git: its objects, branches and a copy of its index, with the hub's own
// settings. The repository's settings are absent, so no filter, hook or monitor that they name can run.
import { mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfUnreadable } from '../../system-errors.js'
import { makeTempFolder, removeTempFolder } from '../../temp-folders.js'
import { type GitCall, GitError, runGit } from './git.js'
import { findGitFolder, type GitFolder, readRegularFile, readSmallFile } from './git-folder.js'
import { type GitSettings, readSettings } from './git-settings.js'
import { requireNoEndlessFile, watchForStall } from './stall.js'

export type GitViewOptions = {
  /** The folder for new objects. By default they are removed with the view. */
  readonly objects?: string
  /** New objects become objects of the repository. */
  readonly writesObjects?: true
  /** Further folders with objects to read. */
  readonly alternates?: readonly string[]
  /** The index to write. By default it is a copy, which is removed with the view. */
  readonly index?: string
  /** For one command. */
  readonly timeoutMs?: number
  readonly onProgress?: GitCall['onProgress']
}

const MAX_INDEX_BYTES = 512 * 1024 * 1024
/** Linked, because they are only data. A missing one stays a dangling link, which git treats as missing. */
const LINKED = ['refs', 'packed-refs', 'reftable', 'shallow', 'info/exclude', 'info/attributes']
/** Each work tree has its own. */
const SPARSE = 'info/sparse-checkout'

/** Use it as `await using view = await openGitView(path)`. Writes nothing into the repository, unless an option says so. */
export async function openGitView(
  workTree: string,
  options: GitViewOptions = {},
): Promise<GitView> {
  const folder = await findGitFolder(workTree)
  if (folder === undefined) throw new GitError('not_a_repository')
  const head = await readHead(folder)
  await requireNoEndlessFile(workTree, folder, head)
  const settings = await readSettings(folder, head.replace('ref: refs/heads/', ''))
  const viewFolder = await makeTempFolder('git')
  try {
    const ofRepository = join(folder.common, 'objects')
    const { objects = options.writesObjects ? ofRepository : join(viewFolder, 'objects') } = options
    await populate({ viewFolder, folder, head, settings, objects })
    const alternates = [ofRepository, ...(options.alternates ?? [])]
    const env = {
      ...environment(viewFolder, workTree, settings),
      ...objectFolders(objects, alternates),
      ...(options.index !== undefined && { GIT_INDEX_FILE: options.index }),
    }
    const { timeoutMs, onProgress } = options
    const call = {
      cwd: workTree,
      env,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(onProgress && { onProgress }),
    }
    return new GitView(call, { folder: viewFolder, objects })
  } catch (error) {
    await removeTempFolder(viewFolder)
    throw error
  }
}

export class GitView implements AsyncDisposable {
  readonly workTree: string
  /** The folder for new objects. */
  readonly objects: string
  readonly #folder: string
  readonly #call: GitCall

  constructor(call: GitCall, { folder, objects }: { folder: string; objects: string }) {
    this.workTree = call.cwd
    this.objects = objects
    this.#folder = folder
    this.#call = call
  }

  async run(args: readonly string[], input?: Buffer): Promise<Buffer> {
    using stall = watchForStall(this.workTree)
    const call = { ...this.#call, signal: stall.signal }
    return await runGit(args, input === undefined ? call : { ...call, input })
  }

  async line(args: readonly string[]): Promise<string> {
    return (await this.run(args)).toString('utf8').trim()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeTempFolder(this.#folder)
  }
}

/** A branch without commits is a valid HEAD. Any other content is rejected. */
async function readHead({ own }: GitFolder): Promise<string> {
  const head = (await readSmallFile(join(own, 'HEAD')))?.trim() ?? ''
  if (/^(ref: refs\/.+|[0-9a-f]{40}|[0-9a-f]{64})$/.test(head)) return head
  throw new GitError('not_a_repository')
}

type ViewContents = {
  readonly viewFolder: string
  readonly folder: GitFolder
  readonly head: string
  readonly settings: GitSettings
  readonly objects: string
}

async function populate({
  viewFolder,
  folder,
  head,
  settings,
  objects,
}: ViewContents): Promise<void> {
  await mkdir(join(viewFolder, 'info'))
  await mkdir(objects, { recursive: true })
  const format = settings.extensions.map(([name, value]) => `\t${name.split('.')[1]} = ${value}\n`)
  const version = format.length > 0 ? 1 : 0
  const config = `[core]\n\trepositoryformatversion = ${version}\n[extensions]\n${format.join('')}`
  const indexes = await indexFiles(folder)
  await Promise.all([
    writeFile(join(viewFolder, 'config'), config),
    writeFile(join(viewFolder, 'HEAD'), `${head}\n`),
    ...LINKED.map((name) => symlink(join(folder.common, name), join(viewFolder, name))),
    symlink(join(folder.own, SPARSE), join(viewFolder, SPARSE)),
    ...indexes.map((name) => copyIndex(join(folder.own, name), join(viewFolder, name))),
  ])
}

/** A split index has most of its entries in a second file. */
async function indexFiles({ own }: GitFolder): Promise<string[]> {
  const names = await readdir(own).catch(undefinedIfUnreadable)
  return (names ?? []).filter((name) => name === 'index' || /^sharedindex\.[0-9a-f]+$/.test(name))
}

/**
 * Preserves the time: git trusts an entry only if the index was written after the file. Rounding down to seconds at worst
 * makes git compare a few more files.
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
  viewFolder: string,
  workTree: string,
  { values }: GitSettings,
): Record<string, string> {
  const settings = values.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    GIT_DIR: viewFolder,
    GIT_WORK_TREE: workTree,
    GIT_INDEX_FILE: join(viewFolder, 'index'),
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

/** Quoted, because the list is separated by colons, which a path may contain. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
