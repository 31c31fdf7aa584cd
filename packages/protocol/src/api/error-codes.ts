// Every error a client can meet: its code is the contract, status and message explain it.
// Clients switch on codes, never on texts.

export const ERRORS = {
  bad_request: { status: 400, message: 'The request could not be understood.' },
  unauthorized: {
    status: 401,
    message:
      'Sign in first: open the address that `quayside start` printed, or send a bearer token.',
  },
  host_not_allowed: {
    status: 403,
    message:
      'This host name is not allowed. Use localhost, or name it in QUAYSIDE_HOSTNAMES where the hub runs.',
  },
  origin_not_allowed: { status: 403, message: 'Requests from this origin are not allowed.' },
  scope_too_small: { status: 403, message: 'Your sign-in or token may not do this.' },
  path_outside_root: { status: 403, message: 'The repository lies outside the workspace root.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  repo_not_found: { status: 404, message: 'No such repository. Scan again if it is new.' },
  extension_not_found: { status: 404, message: 'No such agent extension.' },
  session_not_found: { status: 404, message: 'No such session.' },
  process_not_found: { status: 404, message: 'No such process of the hub; it may have ended.' },
  question_not_found: { status: 404, message: 'No such question in this session.' },
  terminal_not_found: { status: 404, message: 'No such terminal. It may have been closed.' },
  login_code_not_found: { status: 404, message: 'No such sign-in code; it may have expired.' },
  token_not_found: { status: 404, message: 'No such token or sign-in.' },
  turn_not_found: { status: 404, message: 'No such prompt in this session.' },
  turn_not_waiting: {
    status: 409,
    message: 'This prompt no longer waits: it was sent or removed.',
  },
  option_not_found: { status: 404, message: 'The agent has no such option.' },
  permission_not_found: { status: 404, message: 'No such permission request in this session.' },
  repo_untrusted: {
    status: 409,
    message:
      'Trust this repository first: running an agent in it runs what its configuration says.',
  },
  session_not_ended: { status: 409, message: 'The session is active again; end it first.' },
  session_ending: { status: 409, message: 'The session is still ending. Try again in a moment.' },
  session_not_active: { status: 409, message: 'The session has ended.' },
  permission_not_pending: { status: 409, message: 'This permission was already answered.' },
  question_not_pending: { status: 409, message: 'This question was already answered.' },
  agent_auth_required: { status: 409, message: 'The agent wants you to sign in first.' },
  extension_not_own: {
    status: 409,
    message:
      'This agent comes with the hub or from another folder; only your own can be changed here.',
  },
  terminal_exited: { status: 409, message: 'What ran in this terminal has ended.' },
  push_not_subscribed: {
    status: 409,
    message: 'This device has no subscription. Switch its notifications on first.',
  },
  body_too_large: { status: 413, message: 'The request body is too large.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  unknown_option: { status: 422, message: 'The permission has no such option; it is still open.' },
  wrong_answer: { status: 422, message: 'The answer does not fit the question; it is still open.' },
  extension_unavailable: { status: 422, message: 'This agent extension is disabled or broken.' },
  push_not_possible: {
    status: 422,
    message: 'Notifications cannot be sent there.',
  },
  invalid_settings: { status: 422, message: 'The settings do not fit the agent.' },
  invalid_extension: {
    status: 422,
    message: 'This does not describe an agent that can be started.',
  },
  agent_not_installed: { status: 422, message: 'The agent is not installed.' },
  command_not_found: { status: 422, message: 'There is no such program.' },
  connection_limit: {
    status: 429,
    message: 'Too many ACP clients are connected. Close one first.',
  },
  file_unreadable: { status: 422, message: 'This is no file that can be read.' },
  terminal_limit: { status: 429, message: 'Too many terminals are open. Close one first.' },
  terminal_busy: {
    status: 429,
    message: 'The program in this terminal does not read its input. Wait, or close the terminal.',
  },
  session_limit: {
    status: 429,
    message: 'Too many active sessions. End one or wait a minute, then try again.',
  },
  queue_full: { status: 429, message: 'Too many prompts are waiting in this session.' },
  too_many_attempts: { status: 429, message: 'Too many failed sign-ins. Wait a minute.' },
  internal: {
    status: 500,
    message: 'Something went wrong inside the hub; its log has the details.',
  },
  terminals_unavailable: {
    status: 501,
    message: 'Terminals do not work on this machine; everything else does.',
  },
  terminal_failed: { status: 502, message: 'The terminal could not be started.' },
  git_failed: { status: 502, message: 'git could not look at this repository.' },
  agent_failed: {
    status: 502,
    message: 'The agent could not be started or stopped answering.',
  },
  push_failed: { status: 502, message: 'The push service did not take the notification.' },
  shutting_down: { status: 503, message: 'The hub is shutting down.' },
  agent_timeout: { status: 504, message: 'The agent did not answer in time.' },
  storage_failed: {
    status: 507,
    message: 'The hub could not write to its database. Is the disk full?',
  },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>

export type ErrorCode = keyof typeof ERRORS
