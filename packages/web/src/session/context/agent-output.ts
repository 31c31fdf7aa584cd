// The live output of agents' commands. Each command is followed once, however many components show it.
import type { AgentChatClient } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import { useHub } from '@quayside/client/react'
import type { AgentTerminal } from '@quayside/protocol'
import { useEffect, useMemo } from 'react'
import { Store, useStore } from '../../shared/store.js'
import { useSessionContext } from './session-context.js'

export type AgentOutput = {
  readonly text: string
  /** The number of characters that are missing before `text`. */
  readonly dropped: number
}

/** The amount that the hub keeps when the agent sets no lower limit. */
export const MAX_CHARACTERS = 1024 * 1024

class LiveOutput {
  readonly output = new Store<AgentOutput>({ text: '', dropped: 0 })
  #readers = 0
  #abort = new AbortController()
  #waiting = ''

  /** Follows the command until the last reader unsubscribes. */
  follow(client: AgentChatClient, sessionId: string, terminalId: string): () => void {
    this.#readers += 1
    if (this.#readers === 1) {
      this.#abort = new AbortController()
      this.output.set({ text: '', dropped: 0 })
      // The output of a command that has ended is in the log.
      this.#read(client, sessionId, terminalId).catch(() => {})
    }
    return () => {
      this.#readers -= 1
      if (this.#readers === 0) this.#abort.abort()
    }
  }

  async #read(client: AgentChatClient, sessionId: string, terminalId: string): Promise<void> {
    const { signal } = this.#abort
    for await (const event of terminalsOf(client).follow(terminalId, { sessionId, signal })) {
      if (signal.aborted || event.type === 'exited') return
      if (this.#waiting === '') requestAnimationFrame(() => this.#show())
      this.#waiting += event.data
    }
  }

  /** All output since the last frame. */
  #show(): void {
    const { text, dropped } = this.output.get()
    const all = text + this.#waiting
    this.#waiting = ''
    const cut = Math.max(0, all.length - MAX_CHARACTERS)
    this.output.set({ text: all.slice(cut), dropped: dropped + cut })
  }
}

const outputs = new Map<string, LiveOutput>()

/** The output of a command: live while it runs, then from the log. */
export function useAgentOutput({ terminalId, isRunning, output }: AgentTerminal): AgentOutput {
  const { sessionId } = useSessionContext()
  const client = useHub()
  const live = liveOutput(terminalId)
  const shown = useStore(live.output)

  useEffect(() => {
    if (!isRunning) return undefined
    return live.follow(client, sessionId, terminalId)
  }, [client, live, sessionId, terminalId, isRunning])

  return useMemo(
    () => (output === undefined ? shown : { text: output, dropped: 0 }),
    [output, shown],
  )
}

function liveOutput(terminalId: string): LiveOutput {
  const known = outputs.get(terminalId) ?? new LiveOutput()
  outputs.set(terminalId, known)
  return known
}
