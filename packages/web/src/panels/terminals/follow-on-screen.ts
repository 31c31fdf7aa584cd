// Draws a terminal's output as it arrives, and sends the size of the screen to the hub.
import type { AgentChatClient, TerminalExit } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import type { TerminalScreen } from './terminal-screen.js'

type Follow = {
  readonly client: AgentChatClient
  readonly id: string
  readonly screen: TerminalScreen
  readonly signal: AbortSignal
  /** Called when output before the first shown byte is missing. */
  readonly onSkipped: (bytes: number) => void
}

/** Resolves with the exit of the program; with null when it is unknown, or when `signal` aborts. */
export async function followOnScreen(follow: Follow): Promise<TerminalExit | null> {
  const { client, id, screen, signal, onSkipped } = follow
  let isFirst = true
  for await (const event of terminalsOf(client).follow(id, { signal })) {
    if (event.type === 'exited') return event.exit
    if (isFirst) {
      isFirst = false
      // The terminal may have been opened for another screen size.
      void terminalsOf(client)
        .resize(id, screen.size)
        .catch(() => {})
    }
    if (event.skippedBytes > 0) {
      screen.clear()
      onSkipped(event.offset)
    }
    await screen.write(event.data, event.isPast)
  }
  return null
}
