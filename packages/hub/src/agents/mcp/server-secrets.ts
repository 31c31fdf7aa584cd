// Keeps the MCP servers of sessions with their secrets: one file for each session that has any, readable by its owner only.
// The log and the database have the same servers with `{ "isSet": true }` in place of each secret.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, parse } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { SessionSettings } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { makeOwnFolder, SESSION_SECRETS_FOLDER, writeDurably } from '../../store/data-files.js'
import { storageFailed } from '../../store/storage-error.js'
import { fillSecrets, hasPlaceholder, hideSecrets } from './mcp-secrets.js'

type Servers = NonNullable<SessionSettings['mcpServers']>

/** The lists of servers, newest first. While a change is being committed there are two. */
const fileSchema = z.array(z.array(z.looseObject({ name: z.string() })))

export class ServerSecrets {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = makeOwnFolder(dataDir, SESSION_SECRETS_FOLDER)
  }

  /** The settings as they may be stored and shown. */
  hide(settings: SessionSettings): SessionSettings {
    const { mcpServers } = settings
    return mcpServers ? { ...settings, mcpServers: hideSecrets(mcpServers) } : settings
  }

  /** Keeps the secrets beside those of the settings before, and returns the hidden settings. Durable when it returns. */
  keep(sessionId: string, settings: SessionSettings): SessionSettings {
    const { mcpServers } = settings
    const hidden = this.hide(settings)
    if (mcpServers === undefined || isDeepStrictEqual(hidden, settings)) return settings
    const [newest] = this.#read(sessionId)
    if (!isDeepStrictEqual(newest, mcpServers))
      this.#write(sessionId, newest === undefined ? [mcpServers] : [mcpServers, newest])
    return hidden
  }

  /** Forgets the secrets of earlier settings. `settings` are the hidden ones, once they are committed. */
  settle(sessionId: string, { mcpServers = [] }: SessionSettings): void {
    const lists = this.#read(sessionId)
    if (lists.length === 0) return
    if (!hasPlaceholder(mcpServers)) this.remove(sessionId)
    else if (lists.length > 1) this.#write(sessionId, lists.slice(0, 1))
  }

  /** The hidden settings of a session with the kept values. A placeholder stays when no value is kept for it. */
  reveal(sessionId: string, settings: SessionSettings): SessionSettings {
    const { mcpServers } = settings
    if (mcpServers === undefined || !hasPlaceholder(mcpServers)) return settings
    const lists = this.#read(sessionId)
    // A change that was not committed left its list before the one of the stored settings.
    const own = lists.find((list) => isDeepStrictEqual(hideSecrets(list), mcpServers))
    return { ...settings, mcpServers: own ?? fillSecrets(mcpServers, lists[0] ?? []) }
  }

  remove(sessionId: string): void {
    rmSync(this.#fileOf(sessionId), { force: true })
  }

  /** Removes what a crash left: drafts, and files of sessions that do not exist. Call it before sessions can begin. */
  async sweep(exists: (sessionId: string) => Promise<boolean>): Promise<void> {
    for (const name of readdirSync(this.#folder)) {
      const { name: id, ext } = parse(name)
      const isKept = ext === '.json' && (await exists(id))
      if (!isKept) rmSync(join(this.#folder, name), { force: true })
    }
  }

  #fileOf(sessionId: string): string {
    return join(this.#folder, `${sessionId}.json`)
  }

  #write(sessionId: string, lists: readonly Servers[]): void {
    try {
      writeDurably(this.#fileOf(sessionId), `${JSON.stringify(lists)}\n`)
    } catch (cause) {
      throw storageFailed(cause, { sessionId })
    }
  }

  #read(sessionId: string): Servers[] {
    const file = this.#fileOf(sessionId)
    if (!existsSync(file)) return []
    try {
      return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch {
      // No cause: its message may quote a secret from the file.
      throw new Error(
        `${file} is damaged. Remove it, and set the MCP servers of the session again.`,
      )
    }
  }
}
