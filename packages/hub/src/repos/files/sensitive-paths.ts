// Files that decide what runs on this machine: git's own, hooks, and the settings of editors and agents. A person is
// asked by name before an agent writes one, even in `auto` mode.

/** Names of files and folders. Those of agents come from the extensions' manifests. */
const SENSITIVE_NAMES = new Set([
  '.git',
  '.githooks',
  '.husky',
  '.vscode',
  '.idea',
  '.zed',
  '.envrc',
])

/**
 * `relativePath` is the resolved path in the repository (`ConfinedFiles.locate`), `agentConfigPaths` are the paths from
 * which agents read settings.
 */
export function isSensitivePath(
  relativePath: string,
  agentConfigPaths: readonly string[],
): boolean {
  const names = foldedNames(relativePath)
  return (
    names.some((name, at) => SENSITIVE_NAMES.has(name) || isBareHooks(name, names[at - 1])) ||
    agentConfigPaths.some((path) => includesRun(names, foldedNames(path)))
  )
}

/** `.git` itself too: in a linked work tree it is a file with the path of git's folder. */
export function isGitPath(relativePath: string): boolean {
  return foldedNames(relativePath).includes('.git')
}

/** A bare repository keeps its hooks in `name.git/hooks`. */
function isBareHooks(name: string, parent: string | undefined): boolean {
  return name === 'hooks' && parent?.endsWith('.git') === true
}

/** At any depth: a repository may hold packages with settings of their own. */
function includesRun(names: readonly string[], run: readonly string[]): boolean {
  return names.some((_, at) => run.every((name, offset) => names[at + offset] === name))
}

/** As the most forgiving file system compares names: macOS ignores case, and HFS+ also these invisible characters. */
function foldedNames(path: string): string[] {
  const visible = path.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
  return visible.normalize('NFC').toLowerCase().split('/')
}
