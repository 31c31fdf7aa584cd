// Implements the commands for prompts: sending them, ending the running turn, and the prompts that wait.
import { promptBlocks, type turnCommands } from '@quayside/protocol/schemas'
import type { Session } from '../../sessions/live/session.js'
import type { Turn } from '../../sessions/live/turn.js'
import type { Room } from '../room.js'

export const turns: Room<typeof turnCommands> = ({ live, sessions, reader, timelines }) => {
  return {
    'session/prompt': async ({ sessionId, id, ...prompt }, { by }) => {
      const session = await sessions.requireWritable(sessionId)
      return session.prompt(promptBlocks(prompt), by, id)
    },
    'session/cancel': async ({ sessionId, ...input }, { by }) => {
      const session = await sessions.requireActive(sessionId)
      await session.cancel({ ...input, by })
      return reader.requireSummary(sessionId)
    },
    // Active or not: the prompts of a session that failed run when it is resumed.
    'session/queue': async ({ sessionId }) => {
      const { id } = await reader.requireSummary(sessionId)
      const session = live.find(id)
      if (session) return queueOf(session)
      const waiting = await timelines.waiting(id)
      return { queue: waiting.map(({ at, ...turn }) => shown({ ...turn, queuedAt: at })) }
    },
    'queue/edit': async ({ sessionId, turnId, before, now, ...input }, { by }) => {
      const session = await sessions.requireWritable(sessionId)
      const isEdited = input.text !== undefined || input.prompt !== undefined
      const prompt = isEdited ? promptBlocks(input) : undefined
      await session.editQueued(turnId, { prompt, before, now }, by)
      return queueOf(session)
    },
    'queue/remove': async ({ sessionId, turnId }, { by }) => {
      const session = await sessions.requireActive(sessionId)
      await session.removeQueued(turnId, by)
      return queueOf(session)
    },
    'queue/clear': async ({ sessionId }, { by }) => {
      const session = await sessions.requireActive(sessionId)
      await Promise.all([...session.queue].map(({ turnId }) => session.removeQueued(turnId, by)))
      return queueOf(session)
    },
  }
}

function queueOf({ queue }: Session) {
  return { queue: queue.map(shown) }
}

type Waiting = Pick<Turn, 'turnId' | 'prompt' | 'queuedAt'> & { readonly by?: string | undefined }

function shown({ turnId, prompt, by, queuedAt }: Waiting) {
  const at = new Date(queuedAt).toISOString()
  return { turnId, prompt, ...(by !== undefined && { by }), queuedAt: at }
}
