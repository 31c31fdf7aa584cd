// Prints the ten slowest test files.
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10

export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map(costOf).toSorted((one, other) => other.seconds - one.seconds)
    if (costs.length <= SHOWN) return
    const lines = costs.slice(0, SHOWN).map(describe)
    console.log(`\nThe slowest files (wall time, processor time):\n${lines.join('\n')}\n`)
  }
}

type Cost = {
  readonly file: string
  readonly seconds: number
  readonly processorSeconds: number | undefined
}

function costOf(module: TestModule): Cost {
  const { collectDuration, duration } = module.diagnostic()
  const { processorSeconds } = module.meta() as { processorSeconds?: number }
  const file = relative(module.project.vitest.config.root, module.moduleId)
  return { file, seconds: (collectDuration + duration) / 1000, processorSeconds }
}

function describe({ file, seconds, processorSeconds }: Cost): string {
  const processor = processorSeconds === undefined ? '?' : `${processorSeconds.toFixed(1)} s`
  return `${`${seconds.toFixed(1)} s`.padStart(9)} ${processor.padStart(9)}  ${file}`
}
