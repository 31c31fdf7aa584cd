// A cgroup (version 2) for each agent, on Linux and where the hub may make one. It names the owner of processes that have neither the tag in their
// environment nor a parent in the agent's tree.
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isRunnable } from './executable.js'

type Program = { readonly command: string; readonly args: readonly string[] }

const PREFIX = 'quayside-'
const MEMBERS = 'cgroup.procs'
/** The program starts inside of its cgroup, so that none of its children can be outside. Without rights it starts all the same. */
const JOIN = '{ echo $$ > "$0"; } 2>/dev/null; exec "$@"'

let own: { readonly folder: string | undefined } | undefined

/** The folder of this process's cgroup. Undefined when it may not make others in it. */
export function findCgroup(): string | undefined {
  own ??= { folder: process.platform === 'linux' ? findWritable() : undefined }
  return own.folder
}

/** The program, to be started in the cgroup of `tag`. Unchanged without cgroups, and when its start would fail: then the error is its own. */
export function joinCgroup(program: Program, tag: string): Program {
  const { command, args } = program
  const folder = findCgroup()
  if (folder === undefined || !isRunnable(command)) return program
  const cgroup = join(folder, `${PREFIX}${tag}`)
  try {
    mkdirSync(cgroup, { recursive: true })
  } catch {
    // Their number is limited.
    return program
  }
  return { command: '/bin/sh', args: ['-c', JOIN, join(cgroup, MEMBERS), command, ...args] }
}

/** The tag in the content of `/proc/<pid>/cgroup`; of nested ones the innermost. */
export function findCgroupOwner(text: string): string | undefined {
  const path = /^0::(.*)$/m.exec(text)?.[1] ?? ''
  const name = path.split('/').findLast((part) => part.startsWith(PREFIX))
  return name?.slice(PREFIX.length)
}

/** Removes the cgroups that `isWanted` selects by their tags. Those with processes stay. */
export function removeCgroups(isWanted: (tag: string) => boolean): void {
  const folder = findCgroup()
  if (folder === undefined) return
  for (const name of readdirSync(folder))
    if (name.startsWith(PREFIX) && isWanted(name.slice(PREFIX.length))) remove(join(folder, name))
}

function findWritable(): string | undefined {
  try {
    const path = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
    const mount = /^\S+ \S+ \S+ (\S+) (\S+) .*- cgroup2 /m.exec(
      readFileSync('/proc/self/mountinfo', 'utf8'),
    )
    const [, root, point] = mount ?? []
    if (path === undefined || root === undefined || point === undefined) return undefined
    const folder = join(point, relative(root, path))
    const trial = join(folder, `${PREFIX}trial-${process.pid}`)
    mkdirSync(trial)
    try {
      for (const place of [folder, trial]) accessSync(join(place, MEMBERS), constants.W_OK)
    } finally {
      remove(trial)
    }
    return folder
  } catch {
    return undefined
  }
}

function remove(cgroup: string): void {
  try {
    rmdirSync(cgroup)
  } catch {
    // It has processes, or is gone.
  }
}
