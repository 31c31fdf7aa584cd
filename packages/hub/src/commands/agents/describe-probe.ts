// Describes a probe of an agent, in one line or in full.
import type { Probe } from '@quayside/protocol/schemas'

const STATES: Record<Probe['state'], string> = {
  ready: 'ready',
  needs_sign_in: 'needs sign-in',
  not_installed: 'not installed',
  broken: 'does not work',
}

/** One line, for lists. */
export function summarizeProbe(probe: Probe): string {
  const { name, version, state, problem } = probe
  const agent = version === undefined ? name : `${name} ${version}`
  if (state === 'broken') return `${agent} does not work: ${problem ?? ''}`
  if (state !== 'ready') return `${agent}: ${problem ?? STATES[state]}`
  const problems = probe.problems.length === 0 ? '' : `, but ${probe.problems.join('; ')}`
  return `${agent}: ready in ${seconds(startUpMs(probe))}${problems}`
}

export function describeProbe(probe: Probe): string {
  const { name, version, state, initializeMs, newSessionMs, signInMethods } = probe
  const rows: [string, string | undefined][] = [
    ['problem', probe.problem],
    ['command', probe.command],
    ['start', initializeMs === undefined ? undefined : seconds(initializeMs)],
    ['session', newSessionMs === undefined ? undefined : seconds(newSessionMs)],
    ['protocol', probe.protocolVersion?.toString()],
    ['abilities', list(probe.abilities)],
    ['modes', list(probe.modes?.availableModes.map(({ id }) => id))],
    ['models', list(modelNames(probe))],
    ['options', list(probe.configOptions?.map(({ id, currentValue }) => `${id}=${currentValue}`))],
    ['sign-in', list(signInMethods.map(describeMethod))],
    ...probe.problems.map((problem): [string, string] => ['odd', problem]),
  ]
  const lines = rows.flatMap(([label, text]) =>
    text === undefined ? [] : [`  ${label.padEnd(11)}${text}`],
  )
  const agent = version === undefined ? name : `${name} ${version}`
  return [`${agent}: ${STATES[state]}`, ...lines].join('\n')
}

function describeMethod({ name, how, variables = [] }: Probe['signInMethods'][number]): string {
  if (how === 'environment') return `${name} (set ${variables.join(', ')})`
  return how === 'terminal' ? `${name} (in a terminal)` : name
}

function modelNames({ models }: Probe): string[] {
  const { availableModels } = models ?? {}
  if (!Array.isArray(availableModels)) return []
  return availableModels.map((model: { modelId?: unknown }) => String(model.modelId))
}

function list(words: readonly string[] | undefined): string | undefined {
  return words === undefined || words.length === 0 ? undefined : words.join(', ')
}

function startUpMs({ initializeMs = 0, newSessionMs = 0 }: Probe): number {
  return initializeMs + newSessionMs
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}
