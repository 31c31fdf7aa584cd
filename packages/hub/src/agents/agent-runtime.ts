// Starts agents, and owns everything their processes share: extensions, settings, the pool, the wire log.
import { setMaxListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentCapabilities } from '@quayside/protocol'
import type { RunningProcess, SessionSettings } from '@quayside/protocol/schemas'
import { type Config, requireKnownAgent, requireKnownSettings } from '../config/config.js'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import { MessageHooks } from '../message-hooks.js'
import type { TerminalSignIn } from './agent-sign-in.js'
import { isSensitivePath } from '../repos/files/sensitive-paths.js'
import { AgentPool } from './pool/agent-pool.js'
import { AgentProcess, type AgentProcessOptions } from './connection/agent-process.js'
import { ArgsProbes } from './extensions/args-probe.js'
import { Downloads } from './extensions/downloads.js'
import { ExtensionSettings } from './extensions/extension-settings.js'
import {
  extensionFolders,
  Extensions,
  type InstalledExtension,
  userExtensionsFolder,
} from './extensions/extensions.js'
import { findProgram, type Launch, resolveLaunch } from './extensions/launch.js'
import { OwnExtensions } from './own-extensions.js'
import type { EndCause } from '../process/end-cause.js'
import type { HubLease } from '../store/cluster-store.js'
import { ProcessOwner } from '../process/process-owner.js'
import { acpChoices, mergeSettings } from './extensions/settings-values.js'
import { Redactor, secretsOf } from './wire/redact/redact.js'
import { WireLog } from './wire/log/wire-log.js'

type AcpChoices = ReturnType<typeof acpChoices>

type StartOptions = Pick<AgentProcessOptions, 'tap' | 'child'>

type RunningAgent = {
  readonly extension: InstalledExtension
  readonly process: AgentProcess
  readonly startedAt: number
  readonly labels: Readonly<Record<string, string>>
}

export type AgentRuntimeOptions = {
  readonly config: Config
  readonly hubId: string
  readonly hooks?: MessageHooks
  /** Of a hub that shares its database. */
  readonly lease?: HubLease | undefined
  /** Receives sentences for people about agents that are downloaded; by default they are logged. */
  readonly reportDownload?: (sentence: string) => void
  readonly log: Log
}

export class AgentRuntime {
  readonly extensions: Extensions
  readonly settings: ExtensionSettings
  readonly owner: ProcessOwner
  readonly wireLog: WireLog
  readonly redactor: Redactor
  readonly downloads: Downloads
  readonly pool: AgentPool
  readonly own: OwnExtensions
  readonly #config: Config
  readonly #hooks: MessageHooks
  readonly #lease: HubLease | undefined
  /** The leases that this hub has lost. */
  #lapses = 0
  readonly #argsProbes: ArgsProbes
  readonly #log: Log
  readonly #running = new Set<RunningAgent>()
  readonly #closing = new AbortController()
  /** By extension. */
  readonly #capabilities = new Map<string, AgentCapabilities>()

  constructor({ config, hubId, hooks = new MessageHooks(), ...options }: AgentRuntimeOptions) {
    const { log, reportDownload = (sentence: string) => log.info(sentence) } = options
    this.#config = config
    this.#hooks = hooks
    this.#lease = options.lease
    options.lease?.onLapse(() => (this.#lapses += 1))
    this.#log = log
    // Every start in progress adds listeners.
    setMaxListeners(0, this.#closing.signal)
    this.extensions = new Extensions(extensionFolders(config), log)
    requireKnownSettings(config, this.extensions.variables)
    requireKnownAgent(
      config,
      this.extensions.all.map(({ manifest }) => manifest.id),
    )
    this.owner = new ProcessOwner(hubId, log, options.lease)
    const folder = config.wireLog ? join(config.dataDir, 'wire') : undefined
    const ours = config.token === undefined ? [] : [config.token]
    this.redactor = new Redactor([...secretsOf(this.env), ...ours])
    this.settings = new ExtensionSettings(config.dataDir, this.redactor)
    this.#argsProbes = new ArgsProbes(log, this.#closing.signal)
    this.downloads = new Downloads({ report: reportDownload, redactor: this.redactor, log })
    this.wireLog = new WireLog({ folder, redactor: this.redactor, log })
    this.pool = new AgentPool({
      start: (extension, launch) => this.#start(extension, launch),
      neutralLaunch: (extension) => this.launchOf(extension, this.neutralFolder()),
      log,
    })
    this.own = new OwnExtensions(this, userExtensionsFolder(config.dataDir))
  }

  /** Oldest first. */
  listProcesses(): RunningProcess[] {
    return [...this.#running].flatMap((running) => describeProcess(running) ?? [])
  }

  findProcess(pid: number): AgentProcess | undefined {
    return [...this.#running].find(({ process }) => process.pid === pid)?.process
  }

  /** As a process of the agent last reported them. Undefined before its first start. */
  capabilitiesOf(extensionId: string): AgentCapabilities | undefined {
    return this.#capabilities.get(extensionId)
  }

  /** True when a person is asked before an agent writes this path of a repository, even if a rule allows it. */
  readonly isSensitivePath = (path: string): boolean =>
    isSensitivePath(path, this.extensions.configPaths.configPaths)

  /** The hub's environment with the agents' variables of config.json. Read at each use: `process.env` may change. */
  get env(): Readonly<Record<string, string | undefined>> {
    return { ...this.#config.agentEnv, ...process.env }
  }

  /** Throws `invalid_settings` when a variable that an extension reads as a setting has a wrong value. */
  requireValidEnvironment(): void {
    for (const extension of this.extensions.all) mergeSettings(extension, {}, this.env)
  }

  /** Throws `agent_not_installed` with the path tried, and `invalid_settings`. */
  launchOf(extension: InstalledExtension, cwd: string, session: SessionSettings = {}): Launch {
    const { dataDir } = this.#config
    const settings = { ...this.settings.layersOf(extension.manifest.id), session }
    return resolveLaunch(extension, { cwd, dataDir, settings }, this.env)
  }

  isInstalled(extension: InstalledExtension): boolean {
    return findProgram(extension, this.#config.dataDir, this.env) !== undefined
  }

  /** The agent of sessions that name none: QUAYSIDE_AGENT, else the first installed one that is not a fallback, else the fallback. */
  get defaultId(): string | undefined {
    const { agent } = this.#config
    // Searches no PATH when the answer is known.
    if (agent !== undefined) return agent
    const { all } = this.extensions
    const isInstalled = (extension: InstalledExtension) => this.isInstalled(extension)
    const first =
      all.find((extension) => !extension.manifest.fallback && isInstalled(extension)) ??
      all.find(isInstalled) ??
      all[0]
    return first?.manifest.id
  }

  /** The modes, models and options to set on the ACP session once it is open. */
  choicesOf(extension: InstalledExtension, session: SessionSettings): AcpChoices {
    const settings = { ...this.settings.layersOf(extension.manifest.id), session }
    return acpChoices(extension, settings, this.env)
  }

  /** The command that signs in from a terminal: by the manifest, or by `method`. */
  inTerminal(extension: InstalledExtension, method?: TerminalSignIn) {
    const folder = this.neutralFolder()
    const { command, args, terminalArgs = [], env } = this.launchOf(extension, folder)
    const own = Object.entries(env).filter(([name]) => name in extension.manifest.agent.env)
    return {
      folder,
      command,
      args: method ? [...args, ...method.args] : terminalArgs,
      env: { ...Object.fromEntries(own), ...method?.env },
    }
  }

  /** Spawns and initialises a process that carries the hub's tag, so that the watchdog covers it from its start. */
  async #start(
    extension: InstalledExtension,
    launch: Launch,
    more: StartOptions = {},
  ): Promise<AgentProcess> {
    const { id: extensionId, auth, quirks, unasked } = extension.manifest
    const { wireLog, redactor } = this
    const owned = this.owner.own(launch)
    await this.downloads.settle(extension, owned)
    const startedAt = Date.now()
    const process = await AgentProcess.start({
      launch: await this.#argsProbes.settle(owned),
      extensionId,
      quirks,
      signInErrors: auth.errors,
      services: launch.services ?? [],
      asksForWrites: unasked?.actions.includes('write') ?? false,
      isSensitivePath: this.isSensitivePath,
      timeoutMs: this.#config.startTimeoutMs,
      wireLog,
      redactor,
      log: this.#log.child({ extensionId }),
      hooks: this.#hooks,
      signal: this.#closing.signal,
      ...more,
      child: { ...more.child, findKillCause: this.#killCause() },
    })
    const { labels = {} } = launch
    const running = { extension, process, startedAt, labels }
    this.#capabilities.set(extensionId, process.description.capabilities)
    this.#running.add(running)
    void process.exited.finally(() => this.#running.delete(running))
    return process
  }

  /** The watchdog kills the agents of a hub that has lost its lease. */
  #killCause(): () => EndCause | undefined {
    const before = this.#lapses
    // The hub may have another lease by now.
    return () => (this.#lease?.isHeld === false || this.#lapses > before ? 'lease_lost' : undefined)
  }

  /** Starts an agent outside of any session and reports its wire traffic, for the agent check. */
  startWatched(
    extension: InstalledExtension,
    cwd: string,
    watch: Pick<AgentProcessOptions, 'tap' | 'child'>,
  ): Promise<AgentProcess> {
    return this.#start(extension, this.launchOf(extension, cwd), watch)
  }

  /** Starts an agent outside of any session, in the neutral folder. */
  startAlone(extensionId: string): Promise<AgentProcess> {
    const extension = this.extensions.require(extensionId)
    return this.#start(extension, this.launchOf(extension, this.neutralFolder()))
  }

  /** Starts in progress, and all later ones, fail with `shutting_down`. */
  abortStarts(): void {
    this.#closing.abort(new HubError('shutting_down'))
    this.downloads.abort()
  }

  /** Ends every process of an agent at once, also those in its terminals. Their sessions end with the cause. */
  kill(cause?: EndCause): void {
    for (const { process } of this.#running) process.kill(cause)
    this.owner.kill()
  }

  /** Call after the sessions have ended. */
  async close(): Promise<void> {
    this.abortStarts()
    await this.downloads.close()
    await this.pool.close()
    await this.owner.close()
    await this.wireLog.close()
  }

  /** The working folder of agents that have no repository yet. */
  neutralFolder(): string {
    const folder = join(this.#config.dataDir, 'neutral')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  }
}

function describeProcess({
  extension,
  process,
  startedAt,
  labels,
}: RunningAgent): RunningProcess | undefined {
  const { pid, processes, rssBytes, frameAgeMs, at } = process.health
  if (pid === undefined) return undefined
  const { id, name } = extension.manifest
  return {
    pid,
    kind: 'agent',
    name,
    extensionId: id,
    sessionIds: [...process.sessionIds],
    startedAt: new Date(startedAt).toISOString(),
    ...(processes === undefined ? {} : { processes }),
    ...(rssBytes === undefined ? {} : { rssBytes }),
    ...(frameAgeMs === undefined ? {} : { lastFrameAt: new Date(at - frameAgeMs).toISOString() }),
    labels,
  }
}
