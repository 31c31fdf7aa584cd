// What the environment may change about this agent. Read once, in main.ts; a wrong value stops the start.

export const CAPABILITIES = ['load', 'resume', 'list', 'close'] as const
export type Capability = (typeof CAPABILITIES)[number]

export interface Settings {
  /** Which optional session methods are offered; the rest answers -32601. */
  readonly capabilities: ReadonlySet<Capability>
  /** Conversations are kept here as files; without it, in memory only. */
  readonly stateDir: string | undefined
  /** Factor on the pauses that make streaming visible; 0 means none. */
  readonly pace: number
  /** Sends an update for a new session before the response that names the session. */
  readonly earlyUpdate: boolean
}

/** Throws an error whose message names the variable and what is allowed. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return {
    capabilities: readCapabilities(env['QUAYSIDE_DEMO_CAPS']),
    stateDir: env['QUAYSIDE_DEMO_STATE_DIR'] || undefined,
    pace: readPace(env['QUAYSIDE_DEMO_PACE']),
    earlyUpdate: env['QUAYSIDE_DEMO_EARLY_UPDATE'] === '1',
  }
}

function readCapabilities(value: string | undefined): Set<Capability> {
  if (value === undefined) return new Set(CAPABILITIES)
  const names = value.split(',').map((name) => name.trim())
  return new Set(names.filter((name) => name !== '' && name !== 'none').map(requireCapability))
}

function requireCapability(name: string): Capability {
  const capability = CAPABILITIES.find((known) => known === name)
  if (capability) return capability
  throw new Error(
    `QUAYSIDE_DEMO_CAPS: "${name}" is not one of ${CAPABILITIES.join(', ')} (or "none").`,
  )
}

function readPace(value: string | undefined): number {
  if (value === undefined || value === '') return 1
  const pace = Number(value)
  if (Number.isFinite(pace) && pace >= 0) return pace
  throw new Error(`QUAYSIDE_DEMO_PACE: "${value}" is not a number from 0 (no pauses) upwards.`)
}
