// `quayside agents check`: tests an agent against the protocol and prints each result as it arrives.
import { Command, InvalidArgumentError } from 'commander'
import { checkAgent, CHECKS } from '../../agents/check/check-agent.js'
import { type CheckOutcome, type CheckResult, CheckStopped } from '../../agents/check/check.js'
import { CHECK_TIMES } from '../../agents/check/check-run.js'
import { HubError } from '../../errors.js'
import type { CommandIo } from '../io/command-io.js'
import { EXIT, exitCodeOfError } from '../io/exit-codes.js'
import { type Agents, requireAgent } from './with-agents.js'

type Flags = { readonly json?: boolean; readonly timeout: number }
type Run = (work: (agents: Agents) => Promise<void>) => Promise<void>

const COULD_NOT_RUN = 2
const SIGNS: Record<CheckOutcome, string> = { pass: '✓', fail: '✗', skipped: '-' }

export function checkCommand(run: Run, io: CommandIo): Command {
  return new Command('check')
    .description(
      'test an agent against the protocol in a temporary repository; see docs/agents-check.md',
    )
    .argument('<id>', 'id of the agent')
    .option('--json', 'print JSON')
    .option('--timeout <seconds>', 'time limit of a turn', seconds, 120)
    .addHelpText(
      'after',
      `
The agent gets about a dozen prompts, to write files and run harmless commands
in a temporary folder. With a real model that costs as much as a dozen short
prompts.

Examples:
  quayside agents check demo
  quayside agents check gemini --json > gemini.json

Exit code: 0 no check failed, 1 a check failed, 2 the checks could not run,
4 cancelled, 5 there is no such agent, or it is not installed or not signed in.`,
    )
    .action((id: string, flags: Flags) =>
      run(async (agents) => {
        io.exitCode = await check({ ...agents, io }, id, flags)
      }),
    )
}

async function check(
  agents: Agents & { readonly io: CommandIo },
  id: string,
  flags: Flags,
): Promise<number> {
  const { runtime, log, io } = agents
  const results: CheckResult[] = []
  try {
    const extension = requireAgent(agents, id)
    const times = { ...CHECK_TIMES, turnMs: flags.timeout * 1_000 }
    for await (const result of checkAgent({ runtime, extension, times, log })) {
      results.push(result)
      if (!flags.json) io.stdout.write(`${describe(result)}\n`)
    }
  } catch (error) {
    if (!(error instanceof HubError || error instanceof CheckStopped)) throw error
    io.stderr.write(`quayside: ${error.message}\n`)
    const code = exitCodeOfError(error)
    return code === EXIT.failed ? COULD_NOT_RUN : code
  }
  const count = (outcome: CheckOutcome): number =>
    results.filter((result) => result.outcome === outcome).length
  const counts = { passed: count('pass'), failed: count('fail'), skipped: count('skipped') }
  const text = flags.json
    ? JSON.stringify({ extensionId: id, ...counts, checks: results }, null, 2)
    : `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
  io.stdout.write(`${text}\n`)
  return counts.failed > 0 ? 1 : 0
}

const WIDTH = Math.max(...CHECKS.map(({ id }) => id.length))

function describe({ id, outcome, evidence }: CheckResult): string {
  return `${SIGNS[outcome]} ${id.padEnd(WIDTH)}  ${evidence.replaceAll(/\s+/g, ' ')}`
}

function seconds(text: string): number {
  const value = Number(text)
  if (value > 0 && value <= 3_600) return value
  throw new InvalidArgumentError('Use a number of seconds above 0 and at most 3600.')
}
