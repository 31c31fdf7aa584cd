// Every subcommand of `quayside`: its line in the help, and the file that is loaded when it is called.
import type { Command } from 'commander'
import type { CommandIo } from './io/command-io.js'

type Define = (command: Command, io: CommandIo) => void
type Subcommand = readonly [description: string, load: () => Promise<Define>]

/** In the order in which the help shows them. */
export const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  start: [
    'start the hub and print the address to open',
    async () => (await import('./hub/start.js')).defineStart,
  ],
  stop: [
    'stop the running hub; sessions are cancelled, your terminals keep running',
    async () => (await import('./hub/stop.js')).defineStop,
  ],
  status: [
    'show whether a hub is running, where, and its sessions',
    async () => (await import('./hub/status.js')).defineStatus,
  ],
  logs: [
    'print the log of the background hub',
    async () => (await import('./hub/logs.js')).defineLogs,
  ],
  run: [
    'send one prompt to an agent and print its answer',
    async () => (await import('./chat/run.js')).defineRun,
  ],
  attach: [
    'follow a session; type to prompt, answer with numbers',
    async () => (await import('./chat/attach.js')).defineAttach,
  ],
  send: [
    "send a prompt to a session and don't wait; it queues while the agent works",
    async () => (await import('./chat/send.js')).defineSend,
  ],
  sessions: [
    'list sessions; show, rename, archive, export or remove one',
    async () => (await import('./sessions/sessions.js')).defineSessions,
  ],
  undo: [
    'set the files of a turn back to what they were before it',
    async () => (await import('./sessions/undo.js')).defineUndo,
  ],
  redo: [
    'bring back the files of the latest undo',
    async () => (await import('./sessions/undo.js')).defineRedo,
  ],
  fork: [
    'begin a new session with the history and the files of another one',
    async () => (await import('./sessions/fork.js')).defineFork,
  ],
  workspace: [
    'commit, merge, push, check, take or discard the work of a session',
    async () => (await import('./sessions/workspace.js')).defineWorkspace,
  ],
  repos: [
    'list the repositories of the hub, and add others',
    async () => (await import('./sessions/repos.js')).defineRepos,
  ],
  pair: [
    'print a new one-time sign-in address, at a terminal also as a QR code',
    async () => (await import('./hub/pair.js')).definePair,
  ],
  remote: [
    'reach the hub from your phone: by Tailscale, cloudflared or your network',
    async () => (await import('./hub/remote.js')).defineRemote,
  ],
  token: [
    'create, list and revoke tokens for programs',
    async () => (await import('./hub/token.js')).defineToken,
  ],
  hubs: [
    'list the hubs that share one PostgreSQL database',
    async () => (await import('./hub/hubs.js')).defineHubs,
  ],
  service: [
    'write the file that starts the hub when you log in (systemd or launchd)',
    async () => (await import('./hub/service.js')).defineService,
  ],
  acp: [
    'speak ACP on stdin and stdout, for editors; connects to the running hub',
    async () => (await import('./hub/acp.js')).defineAcp,
  ],
  db: [
    'migrate the database, or move it to PostgreSQL and back (stop the hub first)',
    async () => (await import('./data/db.js')).defineDb,
  ],
  backup: [
    'back up all sessions, media, settings and your own extensions; the hub may run',
    async () => (await import('./data/backup.js')).defineBackup,
  ],
  restore: [
    'restore a backup (stop the hub first); current data is set aside',
    async () => (await import('./data/restore.js')).defineRestore,
  ],
  doctor: [
    'check this machine, the data directory and the agents; the hub may run',
    async () => (await import('./doctor/doctor.js')).defineDoctor,
  ],
  agents: [
    'list, sign in, test, add and remove agents',
    async () => (await import('./agents/agents.js')).defineAgents,
  ],
  wire: [
    'print the messages between hub and agent, or replay a recording of them',
    async () => (await import('./wire/wire.js')).defineWire,
  ],
  api: [
    'call any command of the API by its name, or list all of them',
    async () => (await import('./api/api.js')).defineApi,
  ],
  completion: [
    'print a script that completes commands and ids in bash, zsh or fish',
    async () => (await import('./completion.js')).defineCompletion,
  ],
}
