// What a command of an agent prints while it runs: followed once, however many places show it.
import type { AgentChatClient } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import { useHub } from '@quayside/client/react'
import type { AgentTerminal } from '@quayside/protocol'
import { useEffect, useMemo } from 'react'
import { Store, useStore } from '../../shared/store.js'
import { useSessionContext } from './session-context.js'

export type AgentOutput = {
  readonly text: string
  /** So many characters are missing before it. */
  readonly dropped: number
}

/** As much as the hub keeps, if the agent wants no more. */
export const MAX_CHARACTERS = 1024 * 1024

class LiveOutput {
  readonly output = new Store<AgentOutput>({ text: '', dropped: 0 })
  #readers = 0
  #abort = new AbortController()
  #waiting = ''

  /** Follows the command until the last reader has left. */
  follow(client: AgentChatClient, sessionId: string, terminalId: string): () => void {
    this.#readers += 1
    if (this.#readers === 1) {
      this.#abort = new AbortController()
      this.output.set({ text: '', dropped: 0 })
      // A command that is over by now has its output in the log.
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

  /** All that has come since the page was drawn last. */
  #show(): void {
    const { text, dropped } = this.output.get()
    const all = text + this.#waiting
    this.#waiting = ''
    const cut = Math.max(0, all.length - MAX_CHARACTERS)
    this.output.set({ text: all.slice(cut), dropped: dropped + cut })
  }
}

const outputs = new Map<string, LiveOutput>()

/** The output of a command: as it comes while it runs, and what the log has when it is over. */
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
