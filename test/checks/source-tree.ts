// The repository's own files as the checks see them: without installed, built and generated folders.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const SKIPPED = ['node_modules', '.git', 'dist', 'bundle', 'release', 'test-results', 'generated']

/** Paths from the repository's root, with `/` between folders. */
export function filesBelow(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return SKIPPED.includes(entry.name) ? [] : filesBelow(path)
    return [path]
  })
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
