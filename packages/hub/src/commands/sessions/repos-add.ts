// `quayside repos add`: adds a repository by its path, or clones an address into a root folder of the hub.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentChatClient, ClientError } from '@quayside/client'
import type { Clone, Repo } from '@quayside/protocol'
import type { Command } from 'commander'
import { confirm } from '../io/ask-person.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { addHubOption, type HubAccess, type HubFlags, requireHub } from '../io/hub-access.js'
import { oneLine } from '../io/one-line.js'

type Flags = HubFlags & { readonly name?: string; readonly yes?: boolean; readonly json?: boolean }

/** `https://host/path`, or `user@host:path`. */
const ADDRESS = /^[a-z+]+:\/\/|^[\w.-]+@[\w.-]+:/i
const LOOK_MS = 250
/** Returns to the first column and erases the line. */
const ERASE = '\r\u{1b}[K'

export function defineReposAdd(repos: Command, io: CommandIo): void {
  const add = repos
    .command('add')
    .description('add a repository by its path, or clone one')
    .argument('<path or address>', 'a folder, or the address of a git repository')
    .option('--name <name>', 'name of the folder for a clone (default: from the address)')
    .option('--yes', "don't ask before adding a folder outside of the root folders")
    .option('--json', 'print JSON')
  addHubOption(add).action((wanted: string, flags: Flags) => addRepository(wanted, flags, io))
}

async function addRepository(wanted: string, flags: Flags, io: CommandIo): Promise<void> {
  await using hub = await requireHub(flags, io)
  const { client } = hub
  const repo = ADDRESS.test(wanted)
    ? await cloneHere(client, { url: wanted, ...(flags.name && { name: flags.name }) }, io)
    : await addFolder(
        client,
        { path: pathOf(wanted, hub, io), isConfirmed: flags.yes ?? false },
        io,
      )
  io.stdout.write(`${flags.json ? JSON.stringify(repo, null, 2) : oneLine(repo.path)}\n`)
}

/** A remote hub reads the path on its own machine. */
function pathOf(wanted: string, { isRemote }: HubAccess, io: CommandIo): string {
  return isRemote ? wanted : resolve(io.cwd, wanted)
}

type Folder = { readonly path: string; readonly isConfirmed: boolean }

async function addFolder(
  client: AgentChatClient,
  { path, isConfirmed }: Folder,
  io: CommandIo,
): Promise<Repo> {
  try {
    return await client.repos.add(path)
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'path_outside_root') throw error
    const question = `${oneLine(path)} is outside of the hub's root folders. Sessions may then work in its repository. Add it?`
    if (!isConfirmed && !(await confirm(io, question)))
      throw new CommandError('Nothing was added.', EXIT.cancelled, { cause: error })
    return client.http.call('POST /api/repos', { path, confirmOutsideRoot: true })
  }
}

/** Shows git's progress at a terminal. Ctrl-C cancels, and leaves no partial folder. */
async function cloneHere(
  { http }: AgentChatClient,
  request: { readonly url: string; readonly name?: string },
  io: CommandIo,
): Promise<Repo> {
  let clone: Clone = await http.call('POST /api/clones', request)
  const cloneId = clone.id
  const stopListening = io.onSignal('SIGINT', () => {
    http.call('DELETE /api/clones/{cloneId}', { cloneId }).catch(() => io.exit(EXIT.cancelled))
  })
  try {
    while (clone.state === 'running') {
      showProgress(clone, io)
      await sleep(LOOK_MS)
      clone = await http.call('GET /api/clones/{cloneId}', { cloneId })
    }
  } finally {
    stopListening()
    if (io.stderr.isTTY) io.stderr.write(ERASE)
  }
  const { state, repoId, problem } = clone
  if (repoId !== undefined) return http.call('GET /api/repos/{repoId}', { repoId })
  if (state === 'cancelled') throw new CommandError('Cloning was cancelled.', EXIT.cancelled)
  throw new CommandError(problem ?? 'Cloning failed.', EXIT.failed)
}

function showProgress({ phase = 'Connecting', percent }: Clone, { stderr }: CommandIo): void {
  if (!stderr.isTTY) return
  stderr.write(`${ERASE}${oneLine(phase)}${percent === undefined ? '' : ` ${percent}%`}`)
}
