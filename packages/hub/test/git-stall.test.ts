// git that would wait for ever is ended, although the timer of its progress wakes it every second.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
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
