// Every subcommand of `quayside`: its line in the help, and the file that is loaded when it is called.
import type { Command } from 'commander'
import type { CommandIo } from './command-io.js'

type Define = (command: Command, io: CommandIo) => void
type Subcommand = readonly [description: string, load: () => Promise<Define>]

/** In the order in which the help shows them. */
export const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  start: [
    'start the hub and print the address to open',
    async () => (await import('./start.js')).defineStart,
  ],
  stop: [
    'stop the running hub; its sessions are cancelled, your terminals go on',
    async () => (await import('./stop.js')).defineStop,
  ],
  status: [
    'say whether a hub runs, where, and what it is busy with',
    async () => (await import('./status.js')).defineStatus,
  ],
  logs: [
    'print the log of a hub in the background',
    async () => (await import('./logs.js')).defineLogs,
  ],
  run: [
    'send one prompt to an agent and print its answer',
    async () => (await import('./run.js')).defineRun,
  ],
  attach: [
    'follow a session; type to prompt, answer with numbers',
    async () => (await import('./attach.js')).defineAttach,
  ],
  send: [
    'send a prompt to a session and do not wait; it queues while the agent works',
    async () => (await import('./send.js')).defineSend,
  ],
  sessions: [
    'list the sessions; show, rename, archive, export or remove one',
    async () => (await import('./sessions.js')).defineSessions,
  ],
  repos: [
    'list the repositories that the hub has found',
    async () => (await import('./repos.js')).defineRepos,
  ],
  pair: [
    'print a fresh one-time sign-in address, at a terminal also as a QR code',
    async () => (await import('./pair.js')).definePair,
  ],
  token: [
    'make, list and revoke tokens for programs',
    async () => (await import('./token.js')).defineToken,
  ],
  service: [
    'write the file that starts the hub with your session (systemd or launchd)',
    async () => (await import('./service.js')).defineService,
  ],
  acp: [
    'speak ACP on stdin and stdout, for editors; connects to the running hub',
    async () => (await import('./acp.js')).defineAcp,
  ],
  db: [
    'look after the database (the hub must not run)',
    async () => (await import('./db.js')).defineDb,
  ],
  backup: [
    'write a backup of all sessions, media, settings and own extensions; the hub may run',
    async () => (await import('./backup.js')).defineBackup,
  ],
  restore: [
    'go back to a backup (the hub must not run); the present data are kept aside',
    async () => (await import('./restore.js')).defineRestore,
  ],
  doctor: [
    'check this machine, the data directory and the agents; the hub may run',
    async () => (await import('./doctor.js')).defineDoctor,
  ],
  agents: [
    'list agents, sign them in, try them out, add and remove some',
    async () => (await import('./agents.js')).defineAgents,
  ],
  wire: [
    'print what hub and agent say to each other, or replay a recording of it',
    async () => (await import('./wire.js')).defineWire,
  ],
}
