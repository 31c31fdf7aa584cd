// Folders that hubs on several machines have, by a name, and the root folders, which they belong to.
import { delimiter, resolve } from 'node:path'
import { type Value, wrong } from './config-values.js'

export type Volume = { readonly name: string; readonly path: string }

/** Such as `code=/mnt/code,data=/mnt/data`. The ids of machines are names of disks too. */
export function readVolumes(value: Value | undefined, cwd: string): Volume[] {
  if (!value) return []
  const parsed = value.text.split(',').map((entry) => /^([\w.-]{1,64})=(.+)$/.exec(entry))
  const found = parsed.flatMap((entry) => {
    const [, name = '', folder = ''] = entry ?? []
    return name === '' || /^[\da-f]{16}$/.test(name) ? [] : [{ name, path: resolve(cwd, folder) }]
  })
  const names = new Set(found.map(({ name }) => name))
  if (found.length === parsed.length && names.size === found.length) return found
  throw wrong(
    value,
    'names with their folders and commas between, such as code=/mnt/code,data=/mnt/data',
  )
}

/** Without a setting the current folder, unless there are volumes. */
export function rootFolders(
  value: Value | undefined,
  named: readonly Volume[],
  cwd: string,
): readonly string[] {
  const byDefault = named.length > 0 ? [] : ['.']
  const listed = value ? value.text.split(delimiter).filter(Boolean) : byDefault
  const folders = [...listed.map((root) => resolve(cwd, root)), ...named.map(({ path }) => path)]
  return [...new Set(folders)]
}
