// Every error a client can meet: its code is the contract, status and message explain it.
// Clients switch on codes, never on texts.

/** The messages of all codes, by their status. */
const MESSAGES = {
  400: { bad_request: 'The request is malformed. Check its query and body.' },
  401: {
    unauthorized:
      'Sign in first: open the address that `quayside start` printed, or send a bearer token.',
  },
  403: {
    host_not_allowed:
      'This host name is not allowed. Use localhost, or name it in QUAYSIDE_HOSTNAMES where the hub runs.',
    origin_not_allowed:
      'Requests from this origin are not allowed. Open the page at the hub’s own address, or name the origin in QUAYSIDE_ORIGINS where the hub runs.',
    scope_too_small:
      'Your sign-in or token does not have the scope for this. Use one with a larger scope, which an admin can create.',
    path_outside_root:
      'The repository is outside of the root folders. An admin can add it and confirm that, or start the hub with a --root around it.',
  },
  404: {
    not_found: 'There is nothing at this address.',
    hub_not_found: 'No such hub. `quayside hubs` lists them.',
    repo_not_found: 'No such repository. Scan again if it is new.',
    clone_not_found: 'No such clone. It may have ended long ago.',
    extension_not_found: 'No such agent.',
    session_not_found: 'No such session.',
    process_not_found: 'No such process. It may have ended.',
    question_not_found: 'No such question in this session.',
    terminal_not_found: 'No such terminal. It may have been closed.',
    login_code_not_found: 'No such sign-in code. It may have expired.',
    token_not_found: 'No such token or sign-in.',
    turn_not_found: 'No such prompt in this session.',
    checkpoint_not_found:
      'The work tree before this turn was not kept, so the turn cannot be undone.',
    comparison_not_found: 'No such comparison.',
    nothing_to_redo: 'No undo is left to redo in this session.',
    option_not_found: 'The agent has no such option.',
    permission_not_found: 'No such permission request in this session.',
  },
  409: {
    check_not_set:
      'The repository has no check command. An admin sets one with PATCH /api/repos/ID {"settings": {"check": "npm test"}}.',
    files_changed:
      'Files of this turn have been changed since. Send "force": "others" to restore the other files, or "force": "all" to overwrite these too.',
    workspace_missing: 'The work tree of this session was removed. Its history can still be read.',
    workspace_shared:
      'The session works in the repository’s own work tree. Only a session with a work tree of its own can do this.',
    workspace_dirty: 'There are uncommitted changes. Commit or discard them first.',
    merge_conflict:
      'The changes conflict with the branch. Nothing was changed. Merge the branch into the work tree of the session first.',
    turn_running: 'A turn is running. Stop it, or wait for its end, then try again.',
    turn_not_waiting: 'This prompt is no longer queued: it was sent or removed.',
    turn_id_taken:
      'A prompt with this id and other content was sent before. Send the new prompt with an id of its own.',
    repo_untrusted: 'Trust this repository first: agents may run commands from its configuration.',
    hub_running: 'The hub runs. Stop it first.',
    hub_alone: 'This hub has its database to itself, so there is no other hub to use instead.',
    session_not_ended: 'The session is active. End it first.',
    session_has_forks:
      'Other sessions were forked from this one and begin with its history. Remove them first.',
    session_ending: 'The session is still ending. Try again in a moment.',
    session_archived: 'The session is archived, so it is read-only. Unarchive it first.',
    session_not_active: 'The session has ended. Resume it first.',
    permission_not_pending: 'This permission was already answered.',
    question_not_pending: 'This question was already answered.',
    agent_auth_required: 'Sign in to the agent first.',
    extension_not_own:
      'Only custom agents can be changed here. This one is shipped with the hub or comes from another folder.',
    folder_taken: 'There is already a folder with this name. Choose another name.',
    terminal_exited: 'The program in this terminal has exited. Open a new terminal.',
    push_not_subscribed: 'This device is not subscribed. Turn its notifications on first.',
  },
  413: { body_too_large: 'The request body is too large. Send less at once.' },
  415: { unsupported_media_type: 'Send the body as application/json.' },
  422: {
    unknown_option: 'The permission has no such option. It is still open.',
    wrong_answer: 'The answer does not match the question. It is still open.',
    content_not_supported:
      'The agent does not accept this kind of content. Send it as text, or use another agent.',
    prompt_refused: 'A rule of this hub refused the prompt.',
    extension_unavailable:
      'This agent is disabled or broken. Settings › Agents and `quayside agents` show the reason.',
    push_not_possible: 'Notifications cannot be sent to this address.',
    invalid_settings: 'The settings are not valid for this agent.',
    invalid_extension: 'The description of the agent is not valid.',
    agent_not_installed: 'The agent is not installed. Install it, then try again.',
    command_not_found: 'Program not found. Check its name, and the PATH of the hub.',
    file_unreadable: 'This file cannot be read.',
  },
  429: {
    connection_limit: 'Too many ACP clients are connected. Close one first.',
    clone_limit: 'Too many repositories are being cloned. Wait, or cancel one.',
    terminal_limit: 'Too many terminals are open. Close one first.',
    terminal_busy:
      'The program in this terminal does not read its input. Wait, or close the terminal.',
    session_limit: 'Too many active sessions. End one or wait a minute, then try again.',
    queue_full: 'Too many prompts are queued in this session. Wait, or remove one.',
    too_many_attempts: 'Too many failed sign-ins. Wait a minute.',
  },
  500: { internal: 'The hub failed. Its log has the details.' },
  501: {
    terminals_unavailable: 'Terminals are not available on this machine. Everything else works.',
  },
  502: {
    terminal_failed: 'The terminal could not be started.',
    git_failed: 'git failed in this repository. The log of the hub has the details.',
    agent_failed: 'The agent failed to start or stopped responding.',
    push_failed: 'The push service rejected the notification.',
  },
  503: {
    too_many_open_files:
      'The hub has too many files and connections open. Close some, or start it with a higher limit (ulimit -n).',
    database_unavailable: 'The database of the hub does not answer. Try again in a moment.',
    hub_unreachable: 'The machine that has this cannot be reached. Try again in a moment.',
    hub_draining: 'The hub is being emptied, so it takes no new sessions and prompts.',
    shutting_down: 'The hub is shutting down. Try again when it has started again.',
  },
  504: { agent_timeout: 'The agent did not respond in time. Try again.' },
  507: {
    disk_full:
      'A disk of the hub is full: that of its data directory, of its temporary folder, or of its database. Free some space.',
    storage_failed: 'The hub could not write its data. Its log has the reason.',
  },
} as const

type Messages = typeof MESSAGES
export type ErrorCode = { [Status in keyof Messages]: keyof Messages[Status] }[keyof Messages]

export const ERRORS = Object.fromEntries(
  Object.entries(MESSAGES).flatMap(([status, messages]) =>
    Object.entries(messages).map(([code, message]) => [code, { status: Number(status), message }]),
  ),
) as Readonly<Record<ErrorCode, { readonly status: number; readonly message: string }>>
