// The order of the test files: project by project, because a worker is reused only for the same project,
// and the longest files first, so that none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const PROJECTS = ['newcomer', 'web', 'postgres', 'hub', 'client', 'demo-agent', 'agents', 'unit']

export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Vitest's own method; it does not change the array.
    // oxlint-disable-next-line unicorn/no-array-sort
    const byDuration = await super.sort(files)
    return byDuration.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ project }: TestSpecification): number {
  return PROJECTS.indexOf(project.name)
}
