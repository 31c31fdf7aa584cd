// Every error a client can meet: its code is the contract, status and message explain it.
// Clients switch on codes, never on texts.

export const ERRORS = {
  bad_request: { status: 400, message: 'The request is malformed. Check its query and body.' },
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
  origin_not_allowed: {
    status: 403,
    message:
      'Requests from this origin are not allowed. Open the page at the hub’s own address, or name the origin in QUAYSIDE_ORIGINS where the hub runs.',
  },
  scope_too_small: {
    status: 403,
    message:
      'Your sign-in or token does not have the scope for this. Use one with a larger scope, which an admin can create.',
  },
  path_outside_root: {
    status: 403,
    message:
      'The repository is outside of the root folders. An admin can add it and confirm that, or start the hub with a --root around it.',
  },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  hub_not_found: { status: 404, message: 'No such hub. `quayside hubs` lists them.' },
  repo_not_found: { status: 404, message: 'No such repository. Scan again if it is new.' },
  clone_not_found: { status: 404, message: 'No such clone. It may have ended long ago.' },
  extension_not_found: { status: 404, message: 'No such agent.' },
  session_not_found: { status: 404, message: 'No such session.' },
  process_not_found: { status: 404, message: 'No such process. It may have ended.' },
  question_not_found: { status: 404, message: 'No such question in this session.' },
  terminal_not_found: { status: 404, message: 'No such terminal. It may have been closed.' },
  login_code_not_found: { status: 404, message: 'No such sign-in code. It may have expired.' },
  token_not_found: { status: 404, message: 'No such token or sign-in.' },
  turn_not_found: { status: 404, message: 'No such prompt in this session.' },
  checkpoint_not_found: {
    status: 404,
    message: 'The work tree before this turn was not kept, so the turn cannot be undone.',
  },
  comparison_not_found: { status: 404, message: 'No such comparison.' },
  check_not_set: {
    status: 409,
    message:
      'The repository has no check command. An admin sets one with PATCH /api/repos/ID {"settings": {"check": "npm test"}}.',
  },
  nothing_to_redo: { status: 404, message: 'No undo is left to redo in this session.' },
  files_changed: {
    status: 409,
    message:
      'Files of this turn have been changed since. Send "force": "others" to restore the other files, or "force": "all" to overwrite these too.',
  },
  workspace_missing: {
    status: 409,
    message: 'The work tree of this session was removed. Its history can still be read.',
  },
  workspace_shared: {
    status: 409,
    message:
      'The session works in the repository’s own work tree. Only a session with a work tree of its own can do this.',
  },
  workspace_dirty: {
    status: 409,
    message: 'There are uncommitted changes. Commit or discard them first.',
  },
  merge_conflict: {
    status: 409,
    message:
      'The changes conflict with the branch. Nothing was changed. Merge the branch into the work tree of the session first.',
  },
  turn_running: {
    status: 409,
    message: 'A turn is running. Stop it, or wait for its end, then try again.',
  },
  turn_not_waiting: {
    status: 409,
    message: 'This prompt is no longer queued: it was sent or removed.',
  },
  turn_id_taken: {
    status: 409,
    message:
      'A prompt with this id and other content was sent before. Send the new prompt with an id of its own.',
  },
  option_not_found: { status: 404, message: 'The agent has no such option.' },
  permission_not_found: { status: 404, message: 'No such permission request in this session.' },
  repo_untrusted: {
    status: 409,
    message: 'Trust this repository first: agents may run commands from its configuration.',
  },
  hub_running: { status: 409, message: 'The hub runs. Stop it first.' },
  hub_alone: {
    status: 409,
    message: 'This hub has its database to itself, so there is no other hub to use instead.',
  },
  session_not_ended: { status: 409, message: 'The session is active. End it first.' },
  session_has_forks: {
    status: 409,
    message:
      'Other sessions were forked from this one and begin with its history. Remove them first.',
  },
  session_ending: { status: 409, message: 'The session is still ending. Try again in a moment.' },
  session_archived: {
    status: 409,
    message: 'The session is archived, so it is read-only. Unarchive it first.',
  },
  session_not_active: { status: 409, message: 'The session has ended. Resume it first.' },
  permission_not_pending: { status: 409, message: 'This permission was already answered.' },
  question_not_pending: { status: 409, message: 'This question was already answered.' },
  agent_auth_required: { status: 409, message: 'Sign in to the agent first.' },
  extension_not_own: {
    status: 409,
    message:
      'Only custom agents can be changed here. This one is shipped with the hub or comes from another folder.',
  },
  folder_taken: {
    status: 409,
    message: 'There is already a folder with this name. Choose another name.',
  },
  terminal_exited: {
    status: 409,
    message: 'The program in this terminal has exited. Open a new terminal.',
  },
  push_not_subscribed: {
    status: 409,
    message: 'This device is not subscribed. Turn its notifications on first.',
  },
  body_too_large: { status: 413, message: 'The request body is too large. Send less at once.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  unknown_option: { status: 422, message: 'The permission has no such option. It is still open.' },
  wrong_answer: {
    status: 422,
    message: 'The answer does not match the question. It is still open.',
  },
  content_not_supported: {
    status: 422,
    message:
      'The agent does not accept this kind of content. Send it as text, or use another agent.',
  },
  prompt_refused: { status: 422, message: 'A rule of this hub refused the prompt.' },
  extension_unavailable: {
    status: 422,
    message:
      'This agent is disabled or broken. Settings › Agents and `quayside agents` show the reason.',
  },
  push_not_possible: {
    status: 422,
    message: 'Notifications cannot be sent to this address.',
  },
  invalid_settings: { status: 422, message: 'The settings are not valid for this agent.' },
  invalid_extension: {
    status: 422,
    message: 'The description of the agent is not valid.',
  },
  agent_not_installed: {
    status: 422,
    message: 'The agent is not installed. Install it, then try again.',
  },
  command_not_found: {
    status: 422,
    message: 'Program not found. Check its name, and the PATH of the hub.',
  },
  connection_limit: {
    status: 429,
    message: 'Too many ACP clients are connected. Close one first.',
  },
  file_unreadable: { status: 422, message: 'This file cannot be read.' },
  clone_limit: {
    status: 429,
    message: 'Too many repositories are being cloned. Wait, or cancel one.',
  },
  terminal_limit: { status: 429, message: 'Too many terminals are open. Close one first.' },
  terminal_busy: {
    status: 429,
    message: 'The program in this terminal does not read its input. Wait, or close the terminal.',
  },
  session_limit: {
    status: 429,
    message: 'Too many active sessions. End one or wait a minute, then try again.',
  },
  queue_full: {
    status: 429,
    message: 'Too many prompts are queued in this session. Wait, or remove one.',
  },
  too_many_attempts: { status: 429, message: 'Too many failed sign-ins. Wait a minute.' },
  internal: {
    status: 500,
    message: 'The hub failed. Its log has the details.',
  },
  terminals_unavailable: {
    status: 501,
    message: 'Terminals are not available on this machine. Everything else works.',
  },
  terminal_failed: { status: 502, message: 'The terminal could not be started.' },
  git_failed: {
    status: 502,
    message: 'git failed in this repository. The log of the hub has the details.',
  },
  agent_failed: {
    status: 502,
    message: 'The agent failed to start or stopped responding.',
  },
  push_failed: { status: 502, message: 'The push service rejected the notification.' },
  too_many_open_files: {
    status: 503,
    message:
      'The hub has too many files and connections open. Close some, or start it with a higher limit (ulimit -n).',
  },
  database_unavailable: {
    status: 503,
    message: 'The database of the hub does not answer. Try again in a moment.',
  },
  hub_unreachable: {
    status: 503,
    message: 'The machine that has this cannot be reached. Try again in a moment.',
  },
  hub_draining: {
    status: 503,
    message: 'The hub is being emptied, so it takes no new sessions and prompts.',
  },
  shutting_down: {
    status: 503,
    message: 'The hub is shutting down. Try again when it has started again.',
  },
  agent_timeout: { status: 504, message: 'The agent did not respond in time. Try again.' },
  disk_full: {
    status: 507,
    message:
      'A disk of the hub is full: that of its data directory, of its temporary folder, or of its database. Free some space.',
  },
  storage_failed: {
    status: 507,
    message: 'The hub could not write its data. Its log has the reason.',
  },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>

export type ErrorCode = keyof typeof ERRORS
