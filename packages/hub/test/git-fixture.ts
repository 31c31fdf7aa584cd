// Real repositories in a temporary folder, created with plain git.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const PERSON = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  GIT_TERMINAL_PROMPT: '0',
}

export class TestFolder implements Disposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-repos-')))

  repo(name: string): TestRepo {
    return new TestRepo(join(this.path, name))
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

export class TestRepo {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  init(): this {
    mkdirSync(this.path, { recursive: true })
    this.git('init', '--quiet', '--initial-branch=main', '--template=')
    return this
  }

  write(name: string, content: string | Buffer, mode = 0o644): this {
    const file = this.at(name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content, { mode })
    return this
  }

  remove(name: string): this {
    rmSync(this.at(name), { recursive: true })
    return this
  }

  commit(): this {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--allow-empty', '-m', 'work')
    return this
  }

  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.path,
      env: { ...process.env, ...PERSON },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 10_000,
      killSignal: 'SIGKILL',
    })
  }

  /** Ignores failures: only running the command matters. */
  tryGit(...args: string[]): void {
    try {
      this.git(...args)
    } catch {
      // A trap may make git fail.
    }
  }

  at(name: string): string {
    return join(this.path, name)
  }
}
