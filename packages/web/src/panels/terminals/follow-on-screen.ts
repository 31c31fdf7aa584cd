// Draws a terminal's output as it comes, and keeps its program at the size of the screen.
import type { AgentChatClient, TerminalExit } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import type { TerminalScreen } from './terminal-screen.js'

type Follow = {
  readonly client: AgentChatClient
  readonly id: string
  readonly screen: TerminalScreen
  readonly signal: AbortSignal
  /** Output is missing before what is shown. */
  readonly onSkipped: (bytes: number) => void
}

/** Resolves with how the program ended; with null when that is unknown, or at `signal`. */
export async function followOnScreen(follow: Follow): Promise<TerminalExit | null> {
  const { client, id, screen, signal, onSkipped } = follow
  let isFirst = true
  for await (const event of terminalsOf(client).follow(id, { signal })) {
    if (event.type === 'exited') return event.exit
    if (isFirst) {
      isFirst = false
      // It was opened at the size of another screen, or of none.
      void terminalsOf(client)
        .resize(id, screen.size)
        .catch(() => {})
    }
    if (event.skippedBytes > 0) {
      screen.clear()
      onSkipped(event.offset)
    }
    await screen.write(event.data)
  }
  return null
}
