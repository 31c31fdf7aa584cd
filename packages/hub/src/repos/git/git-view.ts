// The view of a repository that the hub gives to git: its objects, branches and a copy of its index, with the hub's own
// settings. The repository's settings are absent, so no filter, hook or monitor that they name can run.
import { mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfUnreadable } from '../../system-errors.js'
import { makeTempFolder, removeTempFolder } from '../../temp-folders.js'
import { GitError, runGit } from './git.js'
import { findGitFolder, type GitFolder, readRegularFile, readSmallFile } from './git-folder.js'
import { type GitSettings, readSettings } from './git-settings.js'
import { requireNoEndlessFile, watchForStall } from './stall.js'

export type GitViewOptions = {
  /** The folder for new objects. By default they are removed with the view. */
  readonly objects?: string
  /** Further folders with objects to read. */
  readonly alternates?: readonly string[]
}

const MAX_INDEX_BYTES = 512 * 1024 * 1024
/** Linked, because they are only data. A missing one stays a dangling link, which git treats as missing. */
const LINKED = [
  'refs',
  'packed-refs',
  'reftable',
  'shallow',
  'info/exclude',
  'info/attributes',
  'info/sparse-checkout',
]

/** Use it as `await using view = await openGitView(path)`. Writes nothing into the repository. */
export async function openGitView(
  workTree: string,
  options: GitViewOptions = {},
): Promise<GitView> {
  const folder = await findGitFolder(workTree)
  if (folder === undefined) throw new GitError('not_a_repository')
  await requireNoEndlessFile(workTree)
  const head = await readHead(folder)
  const settings = await readSettings(folder, head.replace('ref: refs/heads/', ''))
  const viewFolder = await makeTempFolder('git')
  try {
    const objects = options.objects ?? join(viewFolder, 'objects')
    await populate({ viewFolder, folder, head, settings, objects })
    const alternates = [join(folder.common, 'objects'), ...(options.alternates ?? [])]
    const env = {
      ...environment(viewFolder, workTree, settings),
      ...objectFolders(objects, alternates),
    }
    return new GitView(workTree, viewFolder, env)
  } catch (error) {
    await removeTempFolder(viewFolder)
    throw error
  }
}

export class GitView implements AsyncDisposable {
  readonly workTree: string
  readonly #folder: string
  readonly #env: Readonly<Record<string, string>>

  constructor(workTree: string, viewFolder: string, env: Readonly<Record<string, string>>) {
    this.workTree = workTree
    this.#folder = viewFolder
    this.#env = env
  }

  async run(args: readonly string[], input?: Buffer): Promise<Buffer> {
    using stall = watchForStall(this.workTree)
    const call = { cwd: this.workTree, env: this.#env, signal: stall.signal }
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
