// Ends a git process together with the processes it has started, such as the `git branch` of a `git worktree add`: alone, one of them could
// read an endless file until the memory is full. On Linux; elsewhere only git itself ends.
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

export function endGit(git: ChildProcess): void {
  if (git.pid === undefined || git.exitCode !== null || git.signalCode !== null) return
  // A process that has stopped starts no other one while they are counted.
  git.kill('SIGSTOP')
  for (const pid of childrenOf(git.pid)) endTree(pid)
  git.kill('SIGKILL')
}

function endTree(pid: number): void {
  if (!send(pid, 'SIGSTOP')) return
  for (const child of childrenOf(pid)) endTree(child)
  send(pid, 'SIGKILL')
}

function childrenOf(pid: number): number[] {
  try {
    const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return pids.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** False when the process has ended meanwhile. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
