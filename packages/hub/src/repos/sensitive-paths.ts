// Files that decide what runs on this machine: git's own, hooks, and the settings of agents and editors.

/** Whoever writes these makes a tool run a command later, so a person is asked by name, even in `auto` mode. */
const SENSITIVE_FOLDERS = new Set([
  '.git',
  '.githooks',
  '.husky',
  '.gemini',
  '.claude',
  '.codex',
  '.qwen',
  '.opencode',
  '.cursor',
  '.vscode',
  '.idea',
  '.zed',
])
const SENSITIVE_FILES = new Set(['.mcp.json', 'opencode.json', 'opencode.jsonc', '.envrc'])

/** For a path relative to the repository, by where it resolves: see `ConfinedFiles.locate`. */
export function isSensitivePath(relativePath: string): boolean {
  const names = foldedNames(relativePath)
  return names.some(
    (name, at) =>
      SENSITIVE_FOLDERS.has(name) || SENSITIVE_FILES.has(name) || isBareHooks(name, names[at - 1]),
  )
}

/** `.git` itself too: in a linked work tree it is a file that says where git's folder is. */
export function isGitPath(relativePath: string): boolean {
  return foldedNames(relativePath).includes('.git')
}

/** A bare repository keeps its hooks in `name.git/hooks`. */
function isBareHooks(name: string, parent: string | undefined): boolean {
  return name === 'hooks' && parent?.endsWith('.git') === true
}

/** As the most forgiving file system compares names: macOS ignores case, and HFS+ also these invisible characters. */
function foldedNames(path: string): string[] {
  const visible = path.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
  return visible.normalize('NFC').toLowerCase().split('/')
}
