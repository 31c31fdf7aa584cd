// The plan of a round, drawn before it begins: the same seed draws the same rounds.

export type Transport = 'rest' | 'socket'

export type Step = {
  readonly text: string
  readonly via: Transport
  /** A client-made id: none, a new one, or one that was sent before, possibly to a hub that was killed since. */
  readonly id: 'none' | 'new' | 'repeated'
  /** Waits for the end of the turn before the next step. */
  readonly waits: boolean
  readonly next: 'nothing' | 'cancel' | 'delete' | 'read' | 'list'
  /** The option chosen for a permission: by no client, by one, or by two at once. */
  readonly answers: readonly string[]
}

export type LanePlan = {
  readonly opens: 'create' | 'resume'
  readonly via: Transport
  /** Selects one of the sessions, from 0 to 1. */
  readonly pick: number
  readonly steps: readonly Step[]
}

/** `recovered` is the instant when recovery has repaired that many sessions. */
export type StartKill =
  | { readonly at: 'time'; readonly ms: number }
  | { readonly at: 'recovered'; readonly recoveredSessions: number }

/** Counted from when the lanes work, or (`opening`) from when they begin to open their sessions. */
export type Kill =
  | { readonly at: 'working'; readonly ms: number }
  | { readonly at: 'opening'; readonly ms: number }
  | { readonly at: 'acknowledged'; readonly count: number }
  /** SIGTERM first, and SIGKILL while it stops. */
  | { readonly at: 'stopping'; readonly ms: number; readonly stopMs: number }

export type RoundPlan = {
  readonly lanes: readonly LanePlan[]
  readonly kill: Kill
  /** Starts that are killed before the one that counts. */
  readonly startKills: readonly StartKill[]
  /** Both survive the end of a process; the times between write and answer differ. */
  readonly durability: 'full' | 'normal'
  /** The next hub is started only when the watchdog alone has ended everything. */
  readonly waitsForWatchdog: boolean
}

const LANES = 3
const STEPS = 12
const OPTIONS = ['allow_once', 'allow_always', 'reject_once', 'cancelled']

const NEXT = [
  'nothing',
  'nothing',
  'nothing',
  'nothing',
  'read',
  'list',
  'cancel',
  'delete',
] as const

/** The words of the demo agent, repeated by their weight. */
const WORDS = [
  ['echo hello', 4],
  ['stream 200', 4],
  ['drip 200 1', 5],
  ['tools', 2],
  ['ask', 5],
  ['two-asks', 1],
  ['question', 4],
  ['think one two three', 1],
  ['plan', 1],
  ['image', 1],
  ['slow 0.1', 2],
  ['flood 2000 40', 1],
  ['run sleep 0.5', 1],
  ['orphan', 1],
  ['crash', 1],
] as const

export class Dice {
  readonly #next: () => number

  constructor(next: () => number) {
    this.#next = next
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  between(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1))
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#next() * list.length)]!
  }

  fraction(): number {
    return this.#next()
  }
}

export function drawRound(dice: Dice): RoundPlan {
  return {
    lanes: Array.from({ length: LANES }, () => drawLane(dice)),
    kill: drawKill(dice),
    startKills: dice.chance(0.35)
      ? Array.from({ length: dice.between(1, 2) }, () => drawStartKill(dice))
      : [],
    durability: dice.pick(['full', 'normal']),
    waitsForWatchdog: dice.chance(0.08),
  }
}

function drawLane(dice: Dice): LanePlan {
  return {
    opens: dice.chance(0.4) ? 'create' : 'resume',
    via: drawTransport(dice),
    pick: dice.fraction(),
    steps: Array.from({ length: STEPS }, () => drawStep(dice)),
  }
}

function drawStep(dice: Dice): Step {
  const answers = Array.from({ length: dice.pick([0, 1, 1, 1, 1, 2]) }, () => dice.pick(OPTIONS))
  return {
    text: drawWord(dice),
    via: drawTransport(dice),
    id: dice.pick(['none', 'new', 'new', 'repeated']),
    waits: dice.chance(0.7),
    next: dice.pick(NEXT),
    answers,
  }
}

function drawWord(dice: Dice): string {
  return dice.pick(WORDS.flatMap(([text, times]) => Array.from({ length: times }, () => text)))
}

function drawTransport(dice: Dice): Transport {
  return dice.pick(['rest', 'socket'])
}

function drawKill(dice: Dice): Kill {
  const fate = dice.fraction()
  if (fate < 0.35) return { at: 'acknowledged', count: dice.between(1, 12) }
  if (fate < 0.5) return { at: 'opening', ms: dice.between(5, 400) }
  if (fate < 0.57) return { at: 'stopping', ms: dice.between(5, 200), stopMs: dice.between(1, 200) }
  return { at: 'working', ms: dice.between(5, 400) }
}

/** Most of a start is loading. Recovery is short, so the kill waits for its log line. */
function drawStartKill(dice: Dice): StartKill {
  const fate = dice.fraction()
  if (fate < 0.5) return { at: 'recovered', recoveredSessions: dice.between(1, LANES) }
  return { at: 'time', ms: fate < 0.8 ? dice.between(10, 150) : dice.between(150, 800) }
}
