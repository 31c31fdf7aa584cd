// Clients for tests with a real hub.
import type { SessionEvent } from '@quayside/protocol'
import { WebSocket } from 'ws'
import { TOKEN, type TestHub } from '../../hub/test/test-hub.js'
import { AgentChatClient } from '../src/index.js'

export function clientOf(url: string): AgentChatClient {
  return new AgentChatClient({
    url,
    token: TOKEN,
    WebSocket,
    reconnect: { minDelayMs: 1, maxDelayMs: 20 },
  })
}

const DEADLINE_MS = 50_000

/** Rejects with the events seen so far when the work is not done in time. */
export async function inTime<Result>(work: Promise<Result>, seen: () => unknown): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`not within ${DEADLINE_MS} ms; seen: ${JSON.stringify(seen())}`))
    }, DEADLINE_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** The whole log, read over REST. */
export async function logOf(hub: TestHub, sessionId: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for (;;) {
    const after = events.at(-1)?.seq ?? 0
    const path = `/api/sessions/${sessionId}/events?limit=1000&after=${after}`
    const page = await hub.get<{ events: SessionEvent[] }>(path)
    if (page.events.length === 0) return events
    events.push(...page.events)
  }
}
