// Replaces and removes files of a work tree, each in one step, without following a link on the way: a folder that was replaced by a link
// leads to an error, and never to a file outside of the work tree.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { systemCode } from './file-access-error.js'

/** A regular file or a link. */
export type NewFile =
  | { readonly is: 'file'; readonly bytes: Buffer; readonly isProgram: boolean }
  | { readonly is: 'link'; readonly target: Buffer }

/** A work tree, and the session that writes to it. */
export type WriteTarget = { readonly root: string; readonly sessionId: string }

/** `path` is relative to `root`, one character for each byte. Creates missing folders. */
export async function replaceFile(
  { root, sessionId }: WriteTarget,
  path: string,
  file: NewFile,
): Promise<void> {
  const { names, name } = splitPath(path)
  await using folder = await openFolder(root, names, { creates: true })
  const unfinished = folder.at(`${unfinishedName(sessionId)}${randomUUID()}`)
  if (file.is === 'link') await symlink(file.target, unfinished)
  else await writeFile(unfinished, file.bytes, { mode: file.isProgram ? 0o777 : 0o666, flag: 'wx' })
  await rename(unfinished, folder.at(name)).catch(async (error: unknown) => {
    await unlink(unfinished)
    throw error
  })
}

/** Also removes the folders that are empty then. A file that is not there is no error. */
export async function removeFile(root: string, path: string): Promise<void> {
  const { names, name } = splitPath(path)
  try {
    await using folder = await openFolder(root, names)
    await unlink(folder.at(name))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  await removeEmpty(root, names)
}

/** Removes the files that a crash has left beside these paths. */
export async function removeUnfinished(
  { root, sessionId }: WriteTarget,
  paths: readonly string[],
): Promise<void> {
  const folders = new Map(paths.map(splitPath).map(({ names }) => [names.join('/'), names]))
  for (const names of folders.values()) {
    await using folder = await openFolder(root, names).catch(() => undefined)
    if (folder === undefined) continue
    const found = await readdir(folder.at('.'), 'latin1')
    for (const name of found.filter((one) => one.startsWith(unfinishedName(sessionId))))
      await unlink(folder.at(name))
  }
}

/** The folders of a path, and its name in the last of them. */
export function splitPath(path: string) {
  const names = path.split('/')
  return { names: names.slice(0, -1), name: names.at(-1) ?? '' }
}

/** The beginning of the name of a file that is being written. */
function unfinishedName(sessionId: string): string {
  return `.quayside-unfinished-${sessionId}-`
}

async function removeEmpty(root: string, names: readonly string[]): Promise<void> {
  const parents = [...names]
  for (let name = parents.pop(); name !== undefined; name = parents.pop()) {
    await using folder = await openFolder(root, parents)
    const isRemoved = await rmdir(folder.at(name)).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return
  }
}

type Folder = AsyncDisposable & { at(name: string): Buffer }

/** Folder by folder, none of them a link. */
export async function openFolder(
  root: string,
  names: readonly string[],
  { creates = false } = {},
): Promise<Folder> {
  let folder = await enter(Buffer.from(root))
  for (const name of names) {
    await using outer = folder
    const path = outer.at(name)
    if (creates) await mkdir(path).catch(unlessThere)
    folder = await enter(path)
  }
  return folder
}

async function enter(path: Buffer): Promise<Folder> {
  if (process.platform !== 'linux') return enterByPath(path)
  const handle = await open(path, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  return {
    at: (name) => Buffer.from(`/proc/self/fd/${handle.fd}/${name}`, 'latin1'),
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/** Weaker: the folder may become a link after the look. */
async function enterByPath(path: Buffer): Promise<Folder> {
  if (!(await lstat(path)).isDirectory())
    throw Object.assign(new Error('This is not a folder.'), { code: 'ENOTDIR' })
  return {
    at: (name) => Buffer.concat([path, Buffer.from(`/${name}`, 'latin1')]),
    [Symbol.asyncDispose]: async () => {},
  }
}

function unlessThere(error: unknown): void {
  if (systemCode(error) !== 'EEXIST') throw error
}
