// Settings from the environment. Read once, in main.ts; an invalid value aborts the start.

const CAPABILITIES = ['load', 'resume', 'fork', 'list', 'close'] as const
export type Capability = (typeof CAPABILITIES)[number]

/** The content of prompts and the transports of MCP servers that ACP lets an agent declare. */
export const INPUTS = ['image', 'audio', 'embeddedContext', 'http', 'sse'] as const
export type Input = (typeof INPUTS)[number]

export const FAULTS = [
  'junk',
  'protocol',
  'nameless',
  'late-update',
  'unasked',
  'unasked-mode',
  'ignore-cancel',
  'forget',
  'mix-sessions',
  'same-id',
  'drop-second',
  'answer-anything',
  'hollow-list',
  'outlive-stdin',
  'leave-child',
  'read-first',
] as const
export type Fault = (typeof FAULTS)[number]

const SIGN_INS = ['0', '1', 'status', 'config'] as const
const REPLAYS = ['early', 'late'] as const
const MODELS = ['options', 'legacy'] as const

export interface Settings {
  /** The optional session methods to offer; the others answer -32601. */
  readonly capabilities: ReadonlySet<Capability>
  /** The content and servers that it declares to accept. */
  readonly inputs: ReadonlySet<Input>
  /** The folder for conversations; without it, they are in memory only. */
  readonly stateDir: string | undefined
  /** Factor on the pauses that make streaming visible; 0 means none. */
  readonly pace: number
  /** Sends an update for a new session before the response that names the session. */
  readonly earlyUpdate: boolean
  /** A missing sign-in: `1` opens no session, `status` only reports it, `config` lacks a configuration. */
  readonly signIn: (typeof SIGN_INS)[number]
  /** `session/load` replays before its response, as ACP requires, or after it. */
  readonly replay: (typeof REPLAYS)[number]
  /** Models as a config option, or as `models`, which ACP has removed. */
  readonly models: (typeof MODELS)[number]
  /** Misbehaviour in every turn, without a word that asks for it. */
  readonly faults: ReadonlySet<Fault>
}

/** Throws an error that names the variable and its allowed values. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return {
    capabilities: readNames('QUAYSIDE_DEMO_CAPS', env['QUAYSIDE_DEMO_CAPS'], CAPABILITIES),
    inputs: readNames(
      'QUAYSIDE_DEMO_INPUTS',
      env['QUAYSIDE_DEMO_INPUTS'] ?? 'image,embeddedContext',
      INPUTS,
    ),
    stateDir: env['QUAYSIDE_DEMO_STATE_DIR'] || undefined,
    pace: readPace(env['QUAYSIDE_DEMO_PACE']),
    earlyUpdate: env['QUAYSIDE_DEMO_EARLY_UPDATE'] === '1',
    signIn: requireChoice('QUAYSIDE_DEMO_AUTH', env['QUAYSIDE_DEMO_AUTH'] || '0', SIGN_INS),
    replay: requireChoice('QUAYSIDE_DEMO_REPLAY', env['QUAYSIDE_DEMO_REPLAY'] || 'early', REPLAYS),
    models: requireChoice('QUAYSIDE_DEMO_MODELS', env['QUAYSIDE_DEMO_MODELS'] || 'options', MODELS),
    faults: readNames('QUAYSIDE_DEMO_FAULTS', env['QUAYSIDE_DEMO_FAULTS'] ?? 'none', FAULTS),
  }
}

/** All of them by default. */
function readNames<Name extends string>(
  variable: string,
  value: string | undefined,
  known: readonly Name[],
): Set<Name> {
  if (value === undefined) return new Set(known)
  const names = value.split(',').map((name) => name.trim())
  return new Set(
    names
      .filter((name) => name !== '' && name !== 'none')
      .map((name) => requireChoice(variable, name, known)),
  )
}

function requireChoice<Choice extends string>(
  variable: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === value)
  if (choice) return choice
  throw new Error(`${variable}: "${value}" is not one of ${choices.join(', ')}.`)
}

function readPace(value: string | undefined): number {
  if (value === undefined || value === '') return 1
  const pace = Number(value)
  if (Number.isFinite(pace) && pace >= 0) return pace
  throw new Error(`QUAYSIDE_DEMO_PACE: "${value}" is not a number from 0 (no pauses) upwards.`)
}
