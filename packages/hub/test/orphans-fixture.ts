// Agents that leave processes behind in every possible way, and a hub that can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Launch } from '../src/agents/extensions/launch.js'
import { parseStat, type ProcessEntry, readProcessTable } from '../src/process/process-table.js'

const PATH = process.env['PATH'] ?? ''

/** Prints its name and pid, then stays. */
const STAY = 'echo "$0 $$"; exec sleep 600'

const RELATIVES = `
  const { spawn } = require('node:child_process')
  const stdio = ['ignore', 'inherit', 'ignore']
  const stay = ${JSON.stringify(STAY)}
  const start = {
    // In the agent's process group.
    member: () => spawn('sh', ['-c', stay, 'member'], { stdio }),
    // In its own session and group, like the shell commands of real agents.
    setsid: () => spawn('sh', ['-c', stay, 'setsid'], { stdio, detached: true }),
    // Also without a parent.
    daemon: () => spawn('sh', ['-c', '(setsid sh -c "$0" daemon &)', stay], { stdio }),
    // Without the tag, and ignoring signals: its parent may end before it does.
    cleared: () => spawn('sh', ['-c', 'trap "" TERM; ' + stay, 'cleared'], { stdio, detached: true, env: { PATH: process.env.PATH } }),
    // Without the tag, and never with a parent of the agent's tree.
    stranger: () => spawn('sh', ['-c', '(env -i setsid sh -c "$0" stranger &)', stay], { stdio }),
    // Writes a file when it is asked to end.
    flusher: () => spawn(process.execPath, ['-e', \`
      process.on('SIGTERM', () => { console.log('flushed'); process.exit() })
      console.log('flusher', process.pid)
      setInterval(() => {}, 1e6)\`], { stdio, detached: true }),
  }
  for (const name of relatives) start[name]()
`

export type TestAgent = {
  readonly relatives?: readonly string[]
  /** Keeps running when its stdin closes. */
  readonly ignoresEnd?: boolean
  readonly ignoresTerm?: boolean
}

export function agentLaunch({ relatives = [], ignoresEnd, ignoresTerm }: TestAgent): Launch {
  const script = `
    const relatives = ${JSON.stringify(relatives)}
    ${RELATIVES}
    process.stdin.resume()
    process.stdin.on('data', (text) => process.exit(Number(text)))
    ${ignoresTerm ? "process.on('SIGTERM', () => {})" : ''}
    ${ignoresEnd ? 'setInterval(() => {}, 1e6)' : "process.stdin.on('end', () => process.exit(0))"}
    console.log('agent', process.pid)
  `
  return { command: process.execPath, args: ['-e', script], env: { PATH }, cwd: '/' }
}

/** The pids by name that an agent and its descendants printed. Resolves when all of them have. */
export async function readPids(
  output: Readable,
  names: readonly string[],
): Promise<Record<string, number>> {
  const pids: Record<string, number> = {}
  for await (const line of createInterface({ input: output })) {
    const [name = '', pid] = line.split(' ')
    pids[name] = Number(pid)
    if (names.every((wanted) => wanted in pids)) return pids
  }
  throw new Error(`only ${Object.keys(pids).join(', ')} of ${names.join(', ')} spoke`)
}

export function processTable(): readonly ProcessEntry[] {
  const table = readProcessTable()
  if (table === 'unsupported') throw new Error('no process table')
  return table
}

export function findProcess(pid: number | undefined): ProcessEntry | undefined {
  return processTable().find((entry) => entry.pid === pid && !entry.isZombie)
}

/** On Linux it reads one file instead of the whole table, so that a wait can ask often. */
export function isRunning(pid: number): boolean {
  if (process.platform !== 'linux') return findProcess(pid) !== undefined
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.isZombie === false
  } catch {
    return false
  }
}

/** Linux only: elsewhere it cannot be seen, and the answer is yes. */
export function ignoresTerm(pid: number): boolean {
  if (process.platform !== 'linux') return true
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return ((Number.parseInt(ignored ?? '0', 16) >> (constants.signals.SIGTERM - 1)) & 1) === 1
}

/** The names of those that are running. */
export function living(pids: Readonly<Record<string, number>>): string[] {
  const running = new Set(processTable().flatMap(({ pid, isZombie }) => (isZombie ? [] : [pid])))
  return Object.keys(pids)
    .filter((name) => running.has(pids[name]!))
    .toSorted()
}

/** Polls, because processes that are not our children end without an event. After the deadline the error names those that are left. */
export async function untilNone(find: () => readonly unknown[], timeout = 30_000): Promise<void> {
  await expect.poll(find, { timeout, interval: 50 }).toEqual([])
}

export function tagged(hubId: string): ProcessEntry[] {
  return processTable().filter(({ owner }) => owner?.startsWith(`${hubId}:`))
}

export function zombies(): ProcessEntry[] {
  return processTable().filter(({ ppid, isZombie }) => ppid === process.pid && isZombie)
}

/** An unrelated process, unless its environment carries the tag. */
export class Bystander {
  readonly exited: Promise<unknown[]>
  readonly #process: ChildProcess

  private constructor(env: Readonly<Record<string, string>>) {
    this.#process = spawn('sleep', ['600'], { env: { PATH, ...env }, stdio: 'ignore' })
    this.exited = once(this.#process, 'exit')
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<Bystander> {
    const bystander = new Bystander(env)
    await once(bystander.#process, 'spawn')
    return bystander
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get lives(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.exited
  }
}

export type StandInOptions = {
  readonly hubId: string
  readonly agent: TestAgent
  /** `word` ends the agent and closes the owner; `kill` is kill -9 right after the agent was spawned. */
  readonly end?: 'kill' | 'word'
  readonly withWatchdog?: boolean
}

/** A hub reduced to one agent, as a separate process that runs the built code. On a line of input it stops cleanly. */
export function standInHub({ hubId, agent, end = 'word', withWatchdog = true }: StandInOptions) {
  const dist = new URL('../dist/', import.meta.url).href
  const script = `
    import { AgentChild } from '${dist}process/agent-child.js'
    import { ProcessOwner } from '${dist}process/process-owner.js'
    import { createLog } from '${dist}log.js'
    const log = createLog('silent')
    const owner = new ProcessOwner('${hubId}', log)
    if (${!withWatchdog}) owner.watchdog.start = () => {}
    const child = new AgentChild(owner.own(${JSON.stringify(agentLaunch(agent))}), log)
    if (${end === 'kill'}) process.kill(process.pid, 'SIGKILL')
    console.log('watchdog', owner.watchdog.pid)
    child.stdout.pipe(process.stdout)
    process.stdin.once('data', async () => {
      await child.stop()
      await owner.close()
      process.stdin.destroy()
    })
  `
  const hub = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return { process: hub, stdout: hub.stdout, exited: once(hub, 'exit') }
}
