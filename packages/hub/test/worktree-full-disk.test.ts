// A work tree that does not fit on the disk: the session is refused, nothing of it is left, and it is made when there is room.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ErrorBody, Repo } from '@quayside/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { TestRepo } from './git-fixture.js'
import { startHubChild } from './hub-child.js'
import { makeRepository, TOKEN } from './test-hub.js'

const MAX_FILE_BYTES = 8 * 1024 * 1024

/** Limits of another process are settable on Linux only. */
test.skipIf(process.platform !== 'linux')(
  'a work tree that cannot be written leaves no folder and no branch',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quayside-full-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'workspace', 'shop')
    makeRepository(path)
    const repo = new TestRepo(path).write('big.bin', Buffer.alloc(2 * MAX_FILE_BYTES)).commit()
    const hub = await startHubChild(['--root', join(folder, 'workspace')], {
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_TOKEN: TOKEN,
    })
    onTestFinished(async () => void (await hub.stop('SIGTERM')))
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const listed = await fetch(`${hub.address}/api/repos`, { headers })
    const [{ id: repoId } = { id: '' }] = ((await listed.json()) as { repos: Repo[] }).repos
    const settings = { workspace: 'worktree' }
    const body = JSON.stringify({ repoId, extensionId: 'demo', title: 'Full', settings })
    const create = () => fetch(`${hub.address}/api/sessions`, { method: 'POST', headers, body })
    const limit = (bytes: number | 'unlimited') =>
      execFileSync('prlimit', [`--pid=${hub.process.pid}`, `--fsize=${bytes}:`])

    // No file may grow beyond it, so that writes fail as on a full disk.
    limit(MAX_FILE_BYTES)
    const refused = await create()
    const { error } = (await refused.json()) as ErrorBody
    expect([refused.status, error.code]).toEqual([502, 'git_failed'])
    expect(readdirSync(join(folder, 'data/worktrees'))).toEqual([])
    expect(repo.git('branch', '--list', 'quayside/*')).toBe('')
    expect(repo.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    limit('unlimited')
    expect((await create()).status).toBe(201)
  },
)
