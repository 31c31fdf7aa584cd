// The order of the test files: project by project, because a worker is reused only for the same project,
// and the longest files first, so that none of them runs alone at the end.
import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const PROJECTS = ['newcomer', 'web', 'postgres', 'hub', 'agents', 'unit']

/** Long for their size, by which files are sorted as long as Vitest has measured none, such as in a new clone. */
const LONG = [
  'benchmarks',
  'package',
  'newcomer',
  'panels',
  'panels-review',
  'cli-docs',
  'resume',
  'probe',
  'agent',
  'status',
  'cli-compare',
  'git-hostile',
  'terminals-life',
  'command',
  'forks',
  'recovery-mutants',
  'acp-command',
].map((name) => `${name}.test.ts`)

export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Vitest's own method; it does not change the array.
    // oxlint-disable-next-line unicorn/no-array-sort
    const byDuration = await super.sort(files)
    return byDuration.toSorted(
      (one, other) => rankOf(one) - rankOf(other) || Number(isLong(other)) - Number(isLong(one)),
    )
  }
}

function rankOf({ project }: TestSpecification): number {
  return PROJECTS.indexOf(project.name)
}

function isLong({ moduleId }: TestSpecification): boolean {
  return LONG.includes(basename(moduleId))
}
