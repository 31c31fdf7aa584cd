// The direction of imports inside one package: a folder may import only folders and files below it in a list of layers.
import { dirname, join } from 'node:path/posix'
import { filesBelow, readText } from './source-tree.js'

/** `file` is relative to the package's sources. */
export type Source = { readonly file: string; readonly text: string }

/** The sources of a package without their tests. */
export function sourcesOf(packageName: string): Source[] {
  const src = `packages/${packageName}/src/`
  return filesBelow(src.slice(0, -1))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => ({ file: path.slice(src.length), text: readText(path) }))
}

/** The files that a source imports by a relative path, as the import names them. */
export function importsOf({ file, text }: Source): string[] {
  const imports = text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^'?]+)[^']*'/g)
  return [...imports].map(([, target]) => join(dirname(file), target!).replace(/\.js$/, '.ts'))
}

/** Imports that point up. A layer is a folder or a file; a file belongs to the innermost layer around it. */
export function violations(sources: readonly Source[], layers: readonly string[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter((target) => rank(target, layers) < rank(source.file, layers))
      .map((target) => `${source.file} imports ${target}`),
  )
}

function rank(file: string, layers: readonly string[]): number {
  const found = [file, ...foldersAround(file)]
    .map((layer) => layers.indexOf(layer))
    .find((at) => at >= 0)
  if (found === undefined) throw new Error(`${file} is in a folder that is not a layer`)
  return found
}

function foldersAround(file: string): string[] {
  const folder = dirname(file)
  return folder.includes('/') ? [folder, ...foldersAround(folder)] : [folder]
}

/** The folders with more than `most` sources. */
export function crowded(sources: readonly Source[], most: number): string[] {
  const counts = new Map<string, number>()
  for (const { file } of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts].flatMap(([folder, count]) => (count > most ? [`${folder}: ${count}`] : []))
}
