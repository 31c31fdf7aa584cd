// The hub's own reasons to end an agent while its sessions still need it. Their sessions end with the same reason.

const MESSAGES = {
  pipe_broken:
    'The pipe to the agent broke, so the hub ended the agent. Resume the session to start it again.',
  storage_failed:
    'The agent’s work could not be stored, so the hub ended the agent. Check the disk of the data directory, then resume the session.',
  agent_hung:
    'The agent did not answer a cancel, so the hub ended its process, which several sessions shared. Resume the session to start it again.',
  lease_lost:
    'The hub was cut off from its database or paused for too long, so it ended the agent. Resume the session to start it again.',
} as const

export type EndCause = keyof typeof MESSAGES

export function describeCause(cause: EndCause): string {
  return MESSAGES[cause]
}
