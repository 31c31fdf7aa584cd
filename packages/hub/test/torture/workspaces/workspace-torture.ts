// The torture of work trees: turns, edits by a person, undo, redo, commits, merges and discards, with kill -9 of the hub at some instant,
// a restart and an audit, round after round in one data directory.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHubId } from '../../../src/process/process-tag.js'
import { TestRepo } from '../../git-fixture.js'
import { tagged } from '../../orphans-fixture.js'
import { TOKEN } from '../../test-hub.js'
import { KillableHub } from '../killable-hub.js'
import { Dice } from '../plan.js'
import { auditWorkspaces } from './audit-workspaces.js'
import { IGNORED } from './folder-state.js'
import { scheduleKill } from './kill-instant.js'
import { type Action, ACTIONS, WorkspaceClient } from './workspace-client.js'
import { WorkspaceShadow } from './workspace-shadow.js'

export type WorkspaceTortureOptions = {
  readonly rounds: number
  /** Numbers from 0 to 1. */
  readonly random: () => number
  readonly mutant?: string
  /** The actions of each round, the last one with a kill. By default random ones. */
  readonly script?: readonly Action[]
  /** Ends everything when the test is out of time. */
  readonly signal?: AbortSignal
}

export type WorkspaceFigures = {
  readonly rounds: number
  readonly kills: number
  readonly actions: Readonly<Record<string, number>>
  readonly statesCompared: number
  readonly violations: readonly string[]
}

/** Ends at the first round with a violation. */
export async function tortureWorkspaces(
  options: WorkspaceTortureOptions,
): Promise<WorkspaceFigures> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-torture-')))
  const run = new WorkspaceTorture(folder, options)
  options.signal?.addEventListener('abort', () => run.cleanUp(), { once: true })
  try {
    return await run.run()
  } finally {
    run.cleanUp()
    // Agents may still write while they end.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

class WorkspaceTorture {
  readonly #options: WorkspaceTortureOptions
  readonly #dice: Dice
  readonly #dataDir: string
  readonly #shadow: WorkspaceShadow
  #hub: KillableHub | undefined
  #kills = 0

  constructor(folder: string, options: WorkspaceTortureOptions) {
    this.#options = options
    this.#dice = new Dice(options.random)
    this.#dataDir = join(folder, 'data')
    const repo = new TestRepo(join(folder, 'workspace', 'shop')).init()
    repo.git('config', 'user.name', 'Test')
    repo.git('config', 'user.email', 'test@example.com')
    repo.write('.gitignore', `${IGNORED}/\n`).write('a.txt', 'one\n').commit()
    const outside = join(folder, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'file.txt'), 'outside\n')
    this.#shadow = new WorkspaceShadow({ repo, dataDir: this.#dataDir, outside })
  }

  async run(): Promise<WorkspaceFigures> {
    const { rounds, signal } = this.#options
    const shadow = this.#shadow
    for (shadow.round = 1; shadow.round <= rounds; shadow.round += 1) {
      await this.#round()
      if (shadow.violations.length > 0 || signal?.aborted) break
    }
    const { counts, statesCompared, violations } = shadow
    const actions = Object.fromEntries(counts)
    return {
      rounds: Math.min(shadow.round, rounds),
      kills: this.#kills,
      actions,
      statesCompared,
      violations,
    }
  }

  cleanUp(): void {
    this.#hub?.kill()
    if (!existsSync(this.#dataDir)) return
    for (const { pid } of tagged(openHubId(this.#dataDir))) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // Its watchdog was faster.
      }
    }
  }

  /** Work, a kill in its last action, at times a start that is killed too, and the audit by the next hub. */
  async #round(): Promise<void> {
    const address = await this.#start()
    const client = new WorkspaceClient({ address, shadow: this.#shadow, dice: this.#dice })
    const actions = this.#options.script ?? this.#drawActions()
    await this.#act(() => client.open())
    for (const action of actions.slice(0, -1)) await this.#act(() => client.act(action))
    await this.#killInAction(client, actions.at(-1)!)
    if (this.#dice.chance(0.3)) {
      this.#hub = this.#newHub()
      await this.#hub.killStarting({ at: 'time', ms: this.#dice.between(50, 800) })
      this.#kills += 1
    }
    await this.#start()
    await auditWorkspaces(this.#shadow, await this.#hub!.ready)
    await this.#kill()
  }

  #drawActions(): Action[] {
    return Array.from({ length: this.#dice.between(2, 5) }, () => this.#dice.pick(ACTIONS))
  }

  async #killInAction(client: WorkspaceClient, action: Action): Promise<void> {
    await this.#act(() => client.requireOpen())
    const { current, repo } = this.#shadow
    const kill = scheduleKill(this.#hub!, this.#dice, current?.path ?? repo.path)
    await this.#act(() => client.act(action))
    kill[Symbol.dispose]()
    await this.#kill()
  }

  /** A failure before the kill is the hub's fault. */
  async #act(action: () => Promise<void>): Promise<void> {
    const hub = this.#hub!
    try {
      await action()
    } catch (error) {
      // An answer may be lost a moment before the exit is seen.
      await sleep(0)
      if (!hub.isEnding) this.#shadow.blame(`${String(error)}\n${hub.output.slice(-2000)}`)
    }
  }

  #newHub(): KillableHub {
    const env = {
      QUAYSIDE_DATA_DIR: this.#dataDir,
      QUAYSIDE_TOKEN: TOKEN,
      QUAYSIDE_LOG_LEVEL: 'warn',
      QUAYSIDE_DURABILITY: 'normal',
      AGENT_WORKSPACE_ROOT: join(this.#dataDir, '..', 'workspace'),
      AGENT_MAX_SESSIONS: '100',
    }
    const slow = this.#dice.chance(0.5) ? 'restores-slowly' : undefined
    return new KillableHub({ env, mutant: this.#options.mutant ?? slow })
  }

  #start(): Promise<string> {
    this.#hub = this.#newHub()
    return this.#hub.ready
  }

  async #kill(): Promise<void> {
    this.#hub!.kill()
    await this.#hub!.gone()
    this.#kills += 1
  }
}
