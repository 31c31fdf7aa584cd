// What all agents of a hub share: the registry of extensions, the owner of their processes and the wire log.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import { AgentProcess, type AgentProcessOptions } from './agent-process.js'
import { Extensions, type InstalledExtension } from './extensions.js'
import { type Launch, resolveLaunch } from './launch.js'
import { ProcessOwner } from './process/process-owner.js'
import { Redactor, secretsOf } from './wire/redact.js'
import { WireLog } from './wire/wire-log.js'

/** The same from `src/agents` and from `dist/agents`. */
const SHIPPED_EXTENSIONS = fileURLToPath(new URL('../../../../extensions', import.meta.url))

export class AgentGround {
  readonly extensions: Extensions
  readonly owner: ProcessOwner
  readonly wireLog: WireLog
  readonly redactor: Redactor
  readonly #config: Config
  readonly #log: Log

  constructor(config: Config, hubId: string, log: Log) {
    this.#config = config
    this.#log = log
    this.extensions = new Extensions([SHIPPED_EXTENSIONS, ...config.extensionFolders], log)
    this.owner = new ProcessOwner(hubId, log)
    const folder = config.wireLog ? join(config.dataDir, 'wire') : undefined
    const ours = config.token === undefined ? [] : [config.token]
    this.redactor = new Redactor([...secretsOf(process.env), ...ours])
    this.wireLog = new WireLog({ folder, redactor: this.redactor, log })
  }

  /** Throws `agent_not_installed` with the path tried. */
  launchOf(extension: InstalledExtension, cwd: string): Launch {
    const { dataDir } = this.#config
    return resolveLaunch(extension, { cwd, dataDir }, process.env)
  }

  /** Spawns and initialises; the process carries the hub's tag and is watched over from its first moment. */
  start(extension: InstalledExtension, launch: Launch, log: Log): Promise<AgentProcess> {
    return AgentProcess.start(this.#optionsOf(extension, launch, log))
  }

  /** Starts an agent outside of any session, for somebody who looks closely at how it behaves. */
  startWatched(
    extension: InstalledExtension,
    cwd: string,
    watch: Pick<AgentProcessOptions, 'tap' | 'child'>,
  ): Promise<AgentProcess> {
    const launch = this.launchOf(extension, cwd)
    return AgentProcess.start({ ...this.#optionsOf(extension, launch, this.#log), ...watch })
  }

  /** Starts an agent outside of any session, in the data directory. */
  startAlone(extensionId: string): Promise<AgentProcess> {
    const extension = this.extensions.require(extensionId)
    return this.start(extension, this.launchOf(extension, this.#config.dataDir), this.#log)
  }

  #optionsOf(extension: InstalledExtension, launch: Launch, log: Log): AgentProcessOptions {
    const { id: extensionId, agent } = extension.manifest
    const { wireLog, redactor } = this
    return {
      launch: this.owner.own(launch),
      extensionId,
      services: agent.services,
      timeoutMs: this.#config.startTimeoutMs,
      wireLog,
      redactor,
      log,
    }
  }

  /** After the sessions have ended. */
  async close(): Promise<void> {
    await this.owner.close()
    await this.wireLog.close()
  }
}
