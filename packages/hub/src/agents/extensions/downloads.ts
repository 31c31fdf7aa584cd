// Downloads agents before their first start, for programs such as npx that would download them at a start. Has no deadline.
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import { AgentChild, type ChildCommand } from '../../process/agent-child.js'
import type { Redactor } from '../wire/redact/redact.js'
import type { InstalledExtension } from './load-extension.js'

export type DownloadsOptions = {
  /** Receives sentences for people: that a download runs, and how it ended. */
  readonly report: (sentence: string) => void
  readonly redactor: Redactor
  readonly log: Log
}

type Running = {
  readonly startedAt: number
  readonly child: AgentChild
  readonly done: Promise<void>
}

/** A download that is done already is checked in less than this, and not worth a sentence. */
const REPORT_AFTER_MS = 3_000
const REPORT_EVERY_MS = 15_000
const REASON_CHARS = 500

export class Downloads {
  readonly #options: DownloadsOptions
  readonly #running = new Map<string, Running>()
  readonly #done = new Set<string>()
  #isClosed = false

  constructor(options: DownloadsOptions) {
    this.#options = options
  }

  /** When the download of this extension began, if one is running. */
  startedAt({ manifest }: InstalledExtension): number | undefined {
    return this.#running.get(keyOf(manifest.agent))?.startedAt
  }

  /** Resolves at once for an agent that needs no download, or had it since the hub started. Throws `agent_failed`. */
  async settle({ manifest }: InstalledExtension, launch: ChildCommand): Promise<void> {
    const { agent, name } = manifest
    const key = keyOf(agent)
    if (agent.download === undefined || this.#done.has(key)) return
    const running = this.#running.get(key) ?? this.#start({ ...launch, args: agent.download }, name)
    this.#running.set(key, running)
    try {
      await running.done
      this.#done.add(key)
    } finally {
      this.#running.delete(key)
    }
  }

  /** Ends running downloads; no other begins. */
  abort(): void {
    this.#isClosed = true
    for (const { child } of this.#running.values()) child.kill()
  }

  async close(): Promise<void> {
    this.abort()
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done))
  }

  #start(command: ChildCommand, name: string): Running {
    const child = new AgentChild(command, this.#options.log)
    child.stdin.end()
    child.stdout.resume()
    const startedAt = Date.now()
    return { startedAt, child, done: this.#watch(child, name, startedAt) }
  }

  async #watch(child: AgentChild, name: string, startedAt: number): Promise<void> {
    const { report, redactor } = this.#options
    const seconds = (): number => Math.round((Date.now() - startedAt) / 1_000)
    const reportTime = (): void => report(`Downloading ${name} (${seconds()} s so far) …`)
    const first = setTimeout(reportTime, REPORT_AFTER_MS)
    const next = setInterval(reportTime, REPORT_EVERY_MS)
    const { exitCode, stderrTail } = await child.exited
    clearTimeout(first)
    clearInterval(next)
    if (this.#isClosed) throw new HubError('shutting_down')
    if (exitCode !== 0) {
      const output = redactor.redact(stderrTail).trim().slice(-REASON_CHARS)
      throw new HubError('agent_failed', {
        message: `${name} could not be downloaded. Check the connection to the network, then try again. Its last output: ${output}`,
      })
    }
    if (Date.now() - startedAt >= REPORT_AFTER_MS) report(`Downloaded ${name} in ${seconds()} s.`)
  }
}

function keyOf({ command, download }: InstalledExtension['manifest']['agent']): string {
  return JSON.stringify([command, download])
}
