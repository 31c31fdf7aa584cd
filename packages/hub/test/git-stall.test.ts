// git that would wait for ever is ended, also while the timer of its progress wakes it, and with the processes it has started.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isAlive } from '../src/is-alive.js'
import { runGit } from '../src/repos/git/git.js'
import { TestFolder } from './git-fixture.js'

test.skipIf(process.platform !== 'linux')(
  'a pipe in place of an object ends a checkout that reports its progress',
  async () => {
    using folder = new TestFolder()
    const repo = folder.repo('repo').init().write('a.txt', 'one\n').commit()
    const id = repo.git('rev-parse', 'HEAD:a.txt').trim()
    const object = repo.at(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`)
    for (const file of [object, repo.at('.git/index'), repo.at('a.txt')]) rmSync(file)
    execFileSync('mkfifo', [object])
    const checkOut = ['read-tree', '--reset', '-u', '-v', 'HEAD']
    const call = { cwd: repo.path, timeoutMs: 3_600_000, onProgress: () => {} }
    await expect(runGit(checkOut, call)).rejects.toMatchObject({ code: 'blocked' })
  },
)

test.skipIf(process.platform !== 'linux')('the processes of git end with it', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').init().write('pid', '')
  const abort = new AbortController()
  const command = ['-c', 'alias.wait=!echo $$ > pid && exec sleep 3600', 'wait']
  const waiting = runGit(command, { cwd: repo.path, signal: abort.signal })
  const refused = expect(waiting).rejects.toThrow('enough')
  const pid = () => Number(readFileSync(repo.at('pid'), 'utf8'))
  await expect.poll(pid).toBeGreaterThan(0)
  abort.abort(new Error('enough'))
  await refused
  await expect.poll(() => isAlive(pid())).toBe(false)
})
