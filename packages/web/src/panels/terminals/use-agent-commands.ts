// The commands that the agent ran in the hub's terminals, from the loaded part of the transcript.
import { useTimeline, useTimelineItems } from '@quayside/client/react'
import type { AgentTerminal } from '@quayside/protocol'
import { useMemo } from 'react'

export type AgentCommand = {
  readonly terminal: AgentTerminal
  /** The command line. */
  readonly line: string
  readonly at: number
  /** The time of its last event. */
  readonly endedAt: number
}

/** Running commands first, then the newest. */
export function useAgentCommands(sessionId: string): readonly AgentCommand[] {
  const { ids, item } = useTimeline(sessionId)
  const calls = useMemo(() => ids.filter((id) => item(id)?.type === 'tool'), [ids, item])
  const items = useTimelineItems(sessionId, calls)
  const commands = items.flatMap((item) => {
    if (item.type !== 'tool') return []
    const { at, updatedAt: endedAt, call } = item
    return (call.terminals ?? []).map((terminal) => {
      const line = [terminal.command, ...terminal.args].join(' ')
      return { terminal, line, at, endedAt }
    })
  })
  const runs = ({ terminal }: AgentCommand) => terminal.isRunning
  return [...commands.filter(runs), ...commands.filter((one) => !runs(one)).toReversed()]
}
