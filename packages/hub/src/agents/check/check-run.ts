// One run of the checks: a fresh repository, the agent in it, and the sessions that the checks open.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Log } from '../../log.js'
import { ConfinedFiles } from '../../repos/files/confined-files.js'
import { AgentTerminals } from '../../terminals/agents/agent-terminals.js'
import type { AgentRuntime } from '../agent-runtime.js'
import { AgentOptions } from '../connection/agent-options.js'
import type { Workplace } from '../connection/agent-process.js'
import type { AcpSession } from '../connection/read-agent-messages.js'
import type { InstalledExtension } from '../extensions/extensions.js'
import type { Manifest } from '../extensions/manifest.js'
import { LENIENT_GRACE } from '../probe/probe.js'
import type { AgentChildOptions, AgentEnding, AgentExit } from '../../process/agent-child.js'
import { TempFolder } from '../../temp-folders.js'
import { isObject, type JsonObject } from '../../json.js'
import { WireRecording } from '../wire/log/wire-recording.js'
import {
  type CheckPrompts,
  fillPrompt,
  PROMPTS_FOR_MODELS,
  type PromptValues,
} from '../extensions/check-prompts.js'
import { CheckSession, type WatchedAgent } from './check-session.js'

/** Deadlines of the checks. */
export type CheckTimes = {
  /** For the end of a turn. */
  readonly turnMs: number
  /** For the end of a cancelled turn. */
  readonly cancelMs: number
  /** For late messages, which should not come. */
  readonly quietMs: number
  /** The run time of the command that a cancel has to stop. */
  readonly commandSeconds: number
}

export const CHECK_TIMES: CheckTimes = {
  turnMs: 120_000,
  cancelMs: 5_000,
  quietMs: 1_000,
  commandSeconds: 8,
}

export type CheckRunOptions = {
  readonly runtime: AgentRuntime
  readonly extension: InstalledExtension
  readonly times: CheckTimes
  readonly log: Log
}

export type Ended = AgentExit & AgentEnding & { readonly tookMs: number }

const POLL_MS = 50
const GIT_TIMEOUT_MS = 10_000

export class CheckRun {
  readonly times: CheckTimes
  readonly #prompts: CheckPrompts
  readonly recordings: WireRecording[] = []
  /** Settings that the agent rejected, each once. */
  readonly rejections = new Set<string>()
  readonly #options: CheckRunOptions
  readonly #temp = new TempFolder('check')
  readonly #started = new Set<WatchedAgent>()
  readonly #terminals: AgentTerminals[] = []
  #agent: WatchedAgent | undefined
  #ended: Promise<Ended> | undefined

  private constructor(options: CheckRunOptions) {
    this.#options = options
    this.times = options.times
    this.#prompts = { ...PROMPTS_FOR_MODELS, ...options.extension.manifest.check }
  }

  /** Creates the repository; `close` removes it. */
  static async open(options: CheckRunOptions): Promise<CheckRun> {
    const run = new CheckRun(options)
    try {
      writeFileSync(join(run.folder, 'README.md'), '# A repository to check an agent in\n')
      for (const args of [
        ['init', '--quiet'],
        ['add', '.'],
        ['commit', '--quiet', '-m', 'Begin'],
      ])
        await git(run.folder, args)
      return run
    } catch (error) {
      await run.close()
      throw error
    }
  }

  get manifest(): Manifest {
    return this.#options.extension.manifest
  }

  /** The repository. */
  get folder(): string {
    return this.#temp.path
  }

  /** The agent that most checks share. Restarted when it has exited. */
  async agent(): Promise<WatchedAgent> {
    return (this.#agent ??= await this.start(LENIENT_GRACE))
  }

  /** Starts a separate agent for one check. */
  async start(child: AgentChildOptions = {}): Promise<WatchedAgent> {
    const { runtime, extension } = this.#options
    const recording = new WireRecording()
    this.recordings.push(recording)
    const watch = { tap: recording.tap, child }
    const process = await runtime.startWatched(extension, this.folder, watch)
    const agent = { process, recording }
    this.#started.add(agent)
    void process.exited.then(() => this.#forget(agent))
    return agent
  }

  /** Stops the shared agent and reports how it ended. Later calls return the same report. */
  endAgent(): Promise<Ended> {
    return (this.#ended ??= this.agent().then(async ({ process }) => {
      const closedAt = performance.now()
      const gone = process.exited.then(() => Math.round(performance.now() - closedAt))
      const exit = await process.stop()
      return { ...exit, ...(await process.ending), tookMs: await gone }
    }))
  }

  async openSession(agent?: WatchedAgent): Promise<CheckSession> {
    const watched = agent ?? (await this.agent())
    return this.attach(watched, await watched.process.newSession(this.workplace))
  }

  /** Sets the modes and options that the settings choose, as a session of the hub does. */
  async attach(agent: WatchedAgent, acpSession: AcpSession): Promise<CheckSession> {
    const { runtime, extension, log } = this.#options
    const { folder, times } = this
    const { env } = runtime.owner.own(runtime.launchOf(extension, folder))
    const onOpened = (): void => {}
    const terminals = new AgentTerminals({ cwd: folder, env, log, onOpened, onExited: onOpened })
    this.#terminals.push(terminals)
    const files = new ConfinedFiles(folder)
    const options = new AgentOptions(acpSession, (method, params) =>
      agent.process.request(method, params),
    )
    for await (const { rejection } of options.apply(runtime.choicesOf(extension, {})))
      if (rejection !== undefined) this.rejections.add(rejection)
    const { acpSessionId } = acpSession
    const session = { acpSessionId, modeId: options.current('mode')?.toString(), agent }
    return new CheckSession({ ...session, folder, turnMs: times.turnMs, files, terminals })
  }

  #forget(agent: WatchedAgent): void {
    this.#started.delete(agent)
    if (this.#agent === agent) this.#agent = undefined
  }

  get workplace(): Workplace {
    return { cwd: this.folder, mcpServers: [] }
  }

  promptFor(what: keyof CheckPrompts, values: PromptValues = {}): string {
    return fillPrompt(this.#prompts[what], { CWD: this.folder, ...values })
  }

  has(file: string): boolean {
    return existsSync(join(this.folder, file))
  }

  /** Returns false when `unless` settles before the file exists. */
  async waitForFile(file: string, unless: Promise<unknown>): Promise<boolean> {
    let isOver = false
    const over = (): void => {
      isOver = true
    }
    void unless.then(over, over)
    while (!this.has(file)) {
      if (isOver) return this.has(file)
      await sleep(POLL_MS)
    }
    return true
  }

  quiet(): Promise<void> {
    return sleep(this.times.quietMs)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#started].map(({ process }) => process.stop()))
    await Promise.all(this.#terminals.map((terminals) => terminals.closeAll()))
    this.#temp.remove()
  }
}

/** A word that no model writes by chance. */
export function newWord(): string {
  return `harbour${randomBytes(3).toString('hex')}`
}

/** The agent's answer to the last request with this method. */
export function resultOf({ recording }: WatchedAgent, method: string): JsonObject {
  const result = recording.findAnswer(method)?.message['result']
  return isObject(result) ? result : {}
}

async function git(cwd: string, args: readonly string[]): Promise<void> {
  const identity = ['-c', 'user.name=Quayside', '-c', 'user.email=check@quayside.invalid']
  const settings = [...identity, '-c', 'commit.gpgsign=false', '-c', 'core.hooksPath=/dev/null']
  await promisify(execFile)('git', [...settings, ...args], { cwd, timeout: GIT_TIMEOUT_MS })
}
