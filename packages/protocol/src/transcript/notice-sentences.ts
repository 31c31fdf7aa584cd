// The sentences of notices without details, by the code of the notice or the reason of the session's end. A client may
// translate them.

export const NOTICE_SENTENCES = {
  session_forked: 'The session was forked here.',
  session_resumed: 'The session was resumed.',
  session_completed: 'The session was completed.',
  session_cancelled: 'The session was cancelled.',
  session_failed: 'The session ended because of an error.',
  agent_primed: 'The agent has no memory of the session. It gets it as text.',
  idle_timeout: 'The session was put to sleep after a time without activity.',
  made_room: 'The session was put to sleep to make room for another one.',
  server_shutdown: 'The agent was stopped because the hub was shut down.',
  hub_crash: 'The session ended because the hub stopped unexpectedly.',
  hub_drained: 'The session was put to sleep to empty the hub.',
  agent_exited: 'The session ended because the agent stopped unexpectedly.',
} as const
