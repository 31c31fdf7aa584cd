// A repository with a trap: some plain git command runs a program of the repository, which leaves a marker.
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestFolder, TestRepo } from './git-fixture.js'

export type Trap = {
  readonly name: string
  /** Turns a harmless repository with changes into a trap. */
  set(trapped: Trapped): void
  /** A plain git command that triggers it, as control. Absent where none can without a terminal. */
  readonly control?: readonly string[]
}

export type Trapped = {
  readonly repo: TestRepo
  /** A shell command that leaves the marker. */
  readonly command: string
  /** A program that leaves the marker. */
  readonly program: string
  /** A folder beside the repository. */
  readonly outside: string
}

export type BuiltTrap = Trapped & { readonly marker: string }

/** A repository of which each trap gets a copy: copying is cheaper than git. */
export function makeInnocent(folder: TestFolder): TestRepo {
  const repo = folder.repo('innocent').init()
  return repo
    .write('a.txt', 'one\ntwo\n')
    .write('sub/b.txt', 'b\n')
    .write('.gitattributes', '')
    .commit()
}

export function buildTrap(folder: TestFolder, innocent: TestRepo, trap: Trap): BuiltTrap {
  const repo = folder.repo('workspace/victim')
  cpSync(innocent.path, repo.path, { recursive: true })
  const marker = join(folder.path, 'marker')
  const outside = join(folder.path, 'outside')
  mkdirSync(outside)
  const program = join(outside, 'program')
  const command = `touch '${marker}'`
  new TestRepo(outside).write('program', `#!/bin/sh\n${command}\n`, 0o755)
  const trapped = { repo, command, program, outside }
  repo.write('a.txt', 'one\nTWO\n').write('sub/new.txt', 'new\n')
  trap.set(trapped)
  rmSync(marker, { force: true })
  return { ...trapped, marker }
}

export const config =
  (...pairs: readonly (readonly [string, (trapped: Trapped) => string])[]) =>
  (trapped: Trapped): void => {
    for (const [name, value] of pairs) trapped.repo.git('config', '--local', name, value(trapped))
  }
export const command = ({ command }: Trapped) => command
export const program = ({ program }: Trapped) => program
export const always = (value: string) => () => value
export const attributes = (line: string, { repo }: Trapped) =>
  repo.write('.gitattributes', `${line}\n`)
export const hook = (name: string, { repo, command }: Trapped) =>
  repo.write(`.git/hooks/${name}`, `#!/bin/sh\n${command}\n`, 0o755)
export const fsmonitor = ({ program }: Trapped) => `[core]\n\tfsmonitor = ${program}\n`

export const STATUS = ['status']
export const DIFF = ['diff']
export const ADD = ['add', '--all']
export const FETCH = ['fetch', 'origin']
export const COMMIT = ['commit', '--allow-empty', '-m', 'x']
