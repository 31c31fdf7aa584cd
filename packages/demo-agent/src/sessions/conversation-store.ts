// Keeps conversations: one JSON file per session under a folder, or, without a folder, in memory.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import type { Conversation } from './conversation.js'

const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const conversationSchema = z.object({
  sessionId: z.string().regex(SESSION_ID),
  cwd: z.string(),
  title: z.string().nullable(),
  modeId: z.string(),
  model: z.string(),
  updatedAt: z.number(),
  // The blocks and updates were written by `save`, so they are not validated.
  turns: z.array(
    z.object({
      prompt: z.array(z.custom<ContentBlock>(isObject)),
      updates: z.array(z.custom<SessionUpdate>(isObject)),
    }),
  ),
})

export class ConversationStore {
  readonly #inMemory = new Map<string, Conversation>()

  constructor(private readonly directory: string | undefined) {
    if (directory) mkdirSync(directory, { recursive: true, mode: 0o700 })
  }

  /** Synchronous on purpose: an accepted prompt is on disk before the first update is sent. */
  save(conversation: Conversation) {
    conversation.updatedAt = Date.now()
    if (!this.directory) {
      this.#inMemory.set(conversation.sessionId, conversation)
      return
    }
    const file = join(this.directory, `${conversation.sessionId}.json`)
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(conversation))
    renameSync(`${file}.${process.pid}`, file)
  }

  find(sessionId: string): Conversation | undefined {
    if (!this.directory) return this.#inMemory.get(sessionId)
    // The client chooses the id, which becomes a file name.
    if (!SESSION_ID.test(sessionId)) return undefined
    return readConversation(join(this.directory, `${sessionId}.json`))
  }

  /** All conversations, most recently used first. */
  list(): Conversation[] {
    const all = this.directory ? readAll(this.directory) : [...this.#inMemory.values()]
    return all.toSorted((one, other) => other.updatedAt - one.updatedAt)
  }
}

function readAll(directory: string): Conversation[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readConversation(join(directory, name)) ?? [])
}

/** Undefined for a missing or damaged file. */
function readConversation(file: string): Conversation | undefined {
  try {
    return conversationSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (!isObject(error) || error['code'] !== 'ENOENT') console.error(`Cannot read ${file}:`, error)
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
