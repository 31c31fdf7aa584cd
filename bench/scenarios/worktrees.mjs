// A git work tree for a session: a new session with one, compared with bare `git worktree add` in the same repository, and the bytes that
// turns which change one file of 2 kB each add to the data directory.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { BenchHub } from '../hubs/bench-hub.mjs'
import { Workspace } from '../hubs/workspace.mjs'
import { median, round } from '../load/numbers.mjs'

const POLL_MS = 5
const FILE_BYTES = 2_000
/** The unit of `stats.blocks`. */
const BLOCK_BYTES = 512

/** `judged` is the repository that the targets are about, and that has all turns; others have `fewTurns`. */
export const sizes = {
  full: { files: [100, 20_000, 100_000], judged: 20_000, turns: 1000, fewTurns: 20 },
  smoke: { files: [50, 100], judged: 100, turns: 3, fewTurns: 2 },
}

export async function measure({ rounds, size, note }) {
  const measured = []
  for (const files of size.files) {
    note(`a repository of ${files} files`)
    const turns = files === size.judged ? size.turns : size.fewTurns
    const repository = await measureRepository({ files, rounds, turns, note })
    measured.push({ files, turns, ...repository })
  }
  return toResult(measured, size.judged)
}

async function measureRepository({ files, rounds, turns, note }) {
  const workspace = new Workspace(files)
  const hub = await BenchHub.start({ workspace })
  try {
    await create(hub, 'shared')
    const times = { shared: [], bare: [], worktree: [] }
    for (let at = 1; at <= rounds; at += 1) {
      note(`${files} files, round ${at} of ${rounds}`)
      times.shared.push((await create(hub, 'shared')).ms)
      times.bare.push(addBare(workspace, `bare-${at}`))
      times.worktree.push((await create(hub, 'worktree')).ms)
    }
    note(`${files} files, ${turns} turns`)
    const size = await sizeOfTurns(hub, workspace, turns)
    const [shared, bare, worktree] = [times.shared, times.bare, times.worktree].map(median)
    return { shared, bare, worktree, ...size }
  } finally {
    await hub.stop()
    workspace.remove()
  }
}

function toResult(measured, judged) {
  const rows = measured.map(({ files, shared, bare, worktree }) => ({
    what: `${files} files`,
    'git worktree add, ms': round(bare),
    'new session, shared': round(shared),
    'new session, own work tree': round(worktree),
    // Without the start of the agent, which is the same.
    'added ÷ git worktree add': round((worktree - shared) / bare),
  }))
  const rowsOfTurns = measured.map(({ files, turns, bytes, diskBytes }) => ({
    what: `${files} files, ${turns} turns that change one file of 2 kB each`,
    'kB a turn': round(bytes / turns / 1000),
    'kB a turn on the disk': round(diskBytes / turns / 1000),
    'MB together': round(diskBytes / 1e6),
  }))
  const { shared, bare, worktree, turns, bytes, diskBytes } = measured.find(
    ({ files }) => files === judged,
  )
  return {
    tables: [
      { title: 'A work tree for a session', rows },
      { title: 'Snapshots of turns', rows: rowsOfTurns },
    ],
    figures: {
      worktree: round((worktree - shared) / bare),
      turnKb: round(bytes / turns / 1000),
      turnsMb: round(diskBytes / 1e6),
    },
  }
}

async function create(hub, kind) {
  const { repos } = await hub.ask('GET', '/api/repos')
  const settings = { workspace: kind, permissions: { mode: 'auto', rules: [] } }
  const start = performance.now()
  const input = { repoId: repos[0].id, extensionId: 'demo', settings }
  const session = await hub.ask('POST', '/api/sessions', input)
  const ms = performance.now() - start
  await hub.endSession(session.id)
  return { ms, session }
}

function addBare({ folder, repository }, name) {
  const start = performance.now()
  const args = ['worktree', 'add', '--quiet', '-b', name, join(folder, name)]
  execFileSync('git', args, { cwd: repository, stdio: 'ignore' })
  return performance.now() - start
}

/** Without the snapshot of the session's start. */
async function sizeOfTurns(hub, workspace, turns) {
  const { session } = await create(hub, 'worktree')
  await hub.ask('POST', `/api/sessions/${session.id}/resume`)
  const folder = join(workspace.dataDir, 'snapshots', session.id)
  await runTurn(hub, session, folder)
  const before = sizeOf(folder)
  for (let turn = 0; turn < turns; turn += 1) {
    // Random text does not compress.
    const text = Array.from({ length: FILE_BYTES }, () =>
      Math.floor(Math.random() * 36).toString(36),
    )
    writeFileSync(join(session.workspace.path, 'src/0/file-0.ts'), text.join(''))
    await runTurn(hub, session, folder)
  }
  const after = sizeOf(folder)
  return { bytes: after.bytes - before.bytes, diskBytes: after.diskBytes - before.diskBytes }
}

/** Resolves when the work tree after the turn is kept. */
async function runTurn(hub, session, folder) {
  const { turnId } = await hub.prompt(session.id, 'echo done')
  const file = join(folder, 'checkpoints.jsonl')
  const kept = `{"turnId":"${turnId}","after":`
  while (!existsSync(file) || !readFileSync(file, 'utf8').includes(kept)) await setTimeout(POLL_MS)
}

/** The disk has whole blocks, also for small files and for folders. */
function sizeOf(folder) {
  const size = { bytes: 0, diskBytes: 0 }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const stats = statSync(join(entry.parentPath, entry.name))
    if (entry.isFile()) size.bytes += stats.size
    size.diskBytes += stats.blocks * BLOCK_BYTES
  }
  return size
}
