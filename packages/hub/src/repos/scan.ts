// Finds git repositories by looking at folders. Never runs git, so a hostile repository runs nothing here.
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

/** Folders that hold no repositories of the person's own, and many files. */
const SKIPPED = new Set(['node_modules', '.git'])
const MAX_FOLDERS = 100_000
const PARALLEL_READS = 32

/** The paths of all work trees under `root`, itself included. Symbolic links are not followed, so there are no loops. */
export async function findRepositories(root: string): Promise<string[]> {
  const found: string[] = []
  const waiting = [root]
  for (let seen = 0; waiting.length > 0 && seen < MAX_FOLDERS;) {
    const looks = await Promise.all(waiting.splice(0, PARALLEL_READS).map(look))
    seen += looks.length
    waiting.push(...looks.flatMap(({ folders }) => folders))
    found.push(...looks.flatMap(({ repository }) => repository ?? []))
  }
  return found.toSorted()
}

async function look(folder: string): Promise<{ repository?: string; folders: string[] }> {
  // A folder that may not be read is none of ours.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const folders = entries
    .filter(
      (entry) => entry.isDirectory() && !SKIPPED.has(entry.name) && !entry.name.startsWith('.'),
    )
    .map((entry) => join(folder, entry.name))
  const git = entries.find((entry) => entry.name === '.git')
  if (git === undefined || (await findGitFolder(folder)) === undefined) return { folders }
  return { repository: folder, folders }
}

/** The folder with HEAD: `.git` itself, or where the `.git` file of a linked work tree points. */
async function findGitFolder(workTree: string): Promise<string | undefined> {
  const git = join(workTree, '.git')
  const found = await stat(git).catch(() => undefined)
  if (found?.isDirectory()) return (await isFile(join(git, 'HEAD'))) ? git : undefined
  if (!found?.isFile()) return undefined
  const link = /^gitdir: (.+)$/m.exec(await readFile(git, 'utf8').catch(() => ''))
  const target = link?.[1] === undefined ? undefined : resolve(workTree, link[1].trim())
  return target !== undefined && (await isFile(join(target, 'HEAD'))) ? target : undefined
}

/** The branch that is checked out, or the start of the commit when there is none. */
export async function findBranch(workTree: string): Promise<string | undefined> {
  const git = await findGitFolder(workTree)
  if (git === undefined) return undefined
  const head = (await readFile(join(git, 'HEAD'), 'utf8').catch(() => '')).trim()
  return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? (head ? head.slice(0, 12) : undefined)
}

export function repositoryName(path: string): string {
  return basename(path) || path
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}
