// The end of an agent's terminals, with real processes: kill, release, closeAll, limits, and no process left behind.
import { execFileSync } from 'node:child_process'
import { readdirSync, realpathSync } from 'node:fs'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../src/log.js'
import { AgentTerminals } from '../src/terminals/agents/agent-terminals.js'
import { TempFolder } from './store-fixture.js'

const forever = new AbortController().signal

async function withTerminals(use: (terminals: AgentTerminals) => Promise<void>): Promise<string[]> {
  using folder = new TempFolder()
  const exited: string[] = []
  const terminals = new AgentTerminals({
    cwd: realpathSync(folder.path),
    env: { PATH: process.env['PATH'] ?? '' },
    log: createLog('silent'),
    onOpened: () => undefined,
    onExited: ({ terminalId }) => exited.push(terminalId),
  })
  try {
    await use(terminals)
  } finally {
    await terminals.closeAll()
  }
  return exited
}

async function sh(terminals: AgentTerminals, script: string): Promise<string> {
  return (await terminals.create({ command: '/bin/sh', args: ['-c', script] })).terminalId
}

/** Reads the numbers that a script prints, once there are enough lines. */
async function printed(terminals: AgentTerminals, id: string, lines: number): Promise<number[]> {
  let seen = ''
  for await (const { text } of terminals.watch(id, forever)) {
    seen += text
    if (seen.split('\n').length > lines) break
  }
  return seen.split('\n').slice(0, lines).map(Number)
}

function isRunning(pid: number): boolean {
  try {
    // A zombie has ended; reaping it is up to its parent.
    return !execFileSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).startsWith(
      'Z',
    )
  } catch {
    return false
  }
}

/** A killed process may still exist for a moment after the signal was sent. */
async function expectGone(pids: readonly number[]): Promise<void> {
  await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 10_000 })
}

function openPipes(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const TERM = { exitCode: null, signal: 'SIGTERM' }
const KILL = { exitCode: null, signal: 'SIGKILL' }
/** Ignores SIGTERM, and so do its children. */
const STUBBORN = `trap '' TERM; sleep 1000 & echo $!; sleep 1000 >/dev/null 2>&1 & echo $!; echo $$; while :; do wait; done`

test('kill ends a group that ignores SIGTERM, and the id stays valid', async () => {
  await withTerminals(async (terminals) => {
    const id = await sh(terminals, STUBBORN)
    const pids = await printed(terminals, id, 3)
    expect(pids.every(isRunning)).toBe(true)

    await Promise.all([terminals.kill(id), terminals.kill(id)])

    expect(terminals.output(id)).toMatchObject({ output: `${pids.join('\n')}\n`, exitStatus: KILL })
    await expectGone(pids)
    await terminals.kill(id)
    expect(await terminals.waitForExit(id)).toEqual(KILL)
  })
})

test('kill lets a command and its children tidy up', async () => {
  await withTerminals(async (terminals) => {
    const child = `trap 'echo child; exit' TERM; echo ready; while :; do sleep 0.01; done`
    const id = await sh(terminals, `trap 'echo parent; exit 9' TERM; sh -c "${child}" & wait`)
    await printed(terminals, id, 1)
    await terminals.kill(id)
    const { output, exitStatus } = terminals.output(id)
    expect(exitStatus).toEqual({ exitCode: 9, signal: null })
    // A shell may also print that its sleep was terminated.
    expect(output.split('\n')).toEqual(expect.arrayContaining(['ready', 'child', 'parent']))
  })
})

test('release while it runs ends it, answers who waits, and the id is gone at once', async () => {
  const exited = await withTerminals(async (terminals) => {
    const id = await sh(terminals, 'sleep 1000 & echo $!; echo $$; wait')
    const pids = await printed(terminals, id, 2)
    const waiting = terminals.waitForExit(id)
    const releasing = terminals.release(id)
    expect(() => terminals.output(id)).toThrow(/no terminal/)
    await releasing
    expect(await waiting).toEqual(TERM)
    await expectGone(pids)
    expect(terminals.list()).toEqual([])
  })
  expect(exited).toHaveLength(1)
})

test('a background process that holds the pipe delays no exit, and ends with the release', async () => {
  await withTerminals(async (terminals) => {
    const id = await sh(terminals, 'sleep 1000 & echo $!; exit 6')
    expect(await terminals.waitForExit(id)).toEqual({ exitCode: 6, signal: null })
    const pids = await printed(terminals, id, 1)
    expect(pids.every(isRunning)).toBe(true)
    await terminals.release(id)
    await expectGone(pids)
  })
})

test('output of a background process after the exit is still recorded', async () => {
  await withTerminals(async (terminals) => {
    const late = `trap 'echo late; exit' TERM; echo ready; while :; do sleep 0.01; done`
    const id = await sh(terminals, `(${late}) &`)
    await terminals.waitForExit(id)
    await printed(terminals, id, 1)
    await terminals.kill(id)
    expect(terminals.output(id).output).toMatch(/^ready\n(.*\n)?late\n$/)
  })
})

test('a process that left the group does not hold up the release', async () => {
  let escaped: number[] = []
  onTestFinished(() => escaped.forEach((pid) => process.kill(pid, 'SIGKILL')))
  await withTerminals(async (terminals) => {
    const leave = `require('child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' })`
    const script = `const child = ${leave}; console.log(child.pid); child.unref()`
    const { terminalId } = await terminals.create({
      command: process.execPath,
      args: ['-e', script],
    })
    await terminals.waitForExit(terminalId)
    escaped = await printed(terminals, terminalId, 1)
    const watching = printed(terminals, terminalId, 2)
    await terminals.release(terminalId)
    expect(escaped.every(isRunning)).toBe(true)
    // Its output is no longer read.
    await watching
  })
})

test('a flood is bounded, watched without a queue, and can be killed', async () => {
  await withTerminals(async (terminals) => {
    const limit = 64 * 1024
    const { terminalId } = await terminals.create({
      command: 'yes',
      args: ['flood'],
      outputByteLimit: limit,
    })
    let offset = 0
    for await (const { next } of terminals.watch(terminalId, forever)) {
      offset = next
      if (offset > 50 * limit) break
    }
    const { output, truncated } = terminals.output(terminalId)
    expect(truncated).toBe(true)
    expect(Buffer.byteLength(output)).toBe(limit)
    await terminals.kill(terminalId)
    expect(await terminals.waitForExit(terminalId)).toEqual(TERM)
    expect(Buffer.byteLength(terminals.output(terminalId).output)).toBe(limit)
  })
})

test('the seventeenth at a time is refused, also when all are asked for at once', async () => {
  await withTerminals(async (terminals) => {
    const asked = Array.from({ length: 20 }, () => sh(terminals, 'sleep 1000'))
    const answers = await Promise.allSettled(asked)
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason] : [],
    )
    expect(refused.map(({ code }) => code)).toEqual([
      'too_many',
      'too_many',
      'too_many',
      'too_many',
    ])

    const [first] = terminals.list()
    await terminals.kill(first!.terminalId)
    await sh(terminals, 'sleep 1000')
    await expect(sh(terminals, 'sleep 1000')).rejects.toMatchObject({ code: 'too_many' })
  })
})

test('an agent that never releases can continue, and the oldest finished terminals are dropped', async () => {
  await withTerminals(async (terminals) => {
    const ids: string[] = []
    for (let round = 0; round < 20; round += 1) {
      ids.push(await sh(terminals, `echo ${round}`))
      await terminals.waitForExit(ids[round]!)
    }
    // The newest had not ended yet when the others were counted.
    expect(terminals.list().map(({ terminalId }) => terminalId)).toEqual(ids.slice(3))
    expect(() => terminals.output(ids[0]!)).toThrow(/no terminal/)
  })
})

test('closeAll waits for one that is being opened', async () => {
  await withTerminals(async (terminals) => {
    let refusal: unknown
    const opening = sh(terminals, 'sleep 1000').catch((error: unknown) => (refusal = error))
    await terminals.closeAll()
    expect(refusal).toMatchObject({ code: 'invalid' })
    await opening
  })
})

test('closeAll leaves no process, no timer and no file, also of those being opened', async () => {
  using folder = new TempFolder()
  vi.stubEnv('TMPDIR', folder.path)
  const pipes = openPipes()
  const started = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  let pids: number[] = []
  const exited = await withTerminals(async (terminals) => {
    const ids = await Promise.all(
      [1, 2, 3].map(() => sh(terminals, 'sleep 1000 & echo $!; echo $$; wait')),
    )
    pids = (await Promise.all(ids.map((id) => printed(terminals, id, 2)))).flat()
    expect(pids.every(isRunning)).toBe(true)
    const releasing = terminals.release(ids[0]!)
    const opening = sh(terminals, 'sleep 1000')
    const refused = expect(opening).rejects.toMatchObject({ code: 'invalid' })

    await Promise.all([terminals.closeAll(), terminals.closeAll()])

    await Promise.all([refused, releasing])
    await expect(sh(terminals, 'true')).rejects.toMatchObject({ code: 'invalid' })
    expect(terminals.list()).toEqual([])
  })
  expect(exited).toHaveLength(3)
  const timers = started.mock.results.map(({ value }) => value as NodeJS.Timeout)
  expect(timers.length).toBeGreaterThan(0)
  const ended = new Set<unknown>(cleared.mock.calls.flat())
  expect(timers.filter((timer) => !ended.has(timer))).toEqual([])
  expect(readdirSync(folder.path)).toEqual([])
  await expectGone(pids)
  // Node releases a handle one event-loop tick after the exit event.
  await vi.waitFor(() => {
    expect(process.getActiveResourcesInfo()).not.toContain('ProcessWrap')
    expect(openPipes()).toBeLessThanOrEqual(pipes)
  })
})
