// Random changes of the files in a work tree: by the agent's turn, or by a person.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Dice } from '../plan.js'
import { IGNORED } from './folder-state.js'

/** The folder with most of the files, so that a kill finds a step in its middle. */
export const MANY = 'many'

const PATHS = [
  ...Array.from({ length: 24 }, (_, at) => `${MANY}/file-${at}.txt`),
  'a.txt',
  'src/code.ts',
  'src/deep/er/code.ts',
  'new/ü and space.txt',
  'bin/run',
]

/** Without a wait, so that no snapshot finds half of it. */
export function editFiles(root: string, dice: Dice, { outside }: { outside: string }): void {
  const count = dice.pick([1, 10, 25])
  for (let left = count; left > 0; left -= 1) editFile(join(root, dice.pick(PATHS)), dice, outside)
  mkdirSync(join(root, IGNORED), { recursive: true })
  writeFileSync(join(root, IGNORED, 'cache'), `${dice.fraction()}`)
}

function editFile(path: string, dice: Dice, outside: string): void {
  rmSync(path, { force: true })
  const kind = dice.pick(['removed', 'link', 'program', 'file', 'file', 'file', 'file', 'file'])
  if (kind === 'removed') return
  mkdirSync(dirname(path), { recursive: true })
  if (kind === 'link') return symlinkSync(outside, path)
  // Few contents, so that a file also returns to an earlier one.
  writeFileSync(path, `${dice.between(1, 5)}\r\n\0`.repeat(dice.pick([0, 1, 500])))
  chmodSync(path, kind === 'program' ? 0o755 : 0o644)
}
