// The terminals of an agent with real processes: output, exit, refusals.
import { mkdirSync, realpathSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createLog } from '../src/log.js'
import {
  AgentTerminals,
  type ExitedTerminal,
  type OpenedTerminal,
  type TerminalState,
} from '../src/terminals/agents/agent-terminals.js'
import type { CreateTerminal } from '../src/terminals/terminal-launch.js'
import { TempFolder } from './store-fixture.js'

/** Terminals in a repository of their own, and the events they recorded. */
function openTerminals() {
  const folder = new TempFolder()
  const repo = realpathSync(folder.path)
  const opened: OpenedTerminal[] = []
  const exited: ExitedTerminal[] = []
  const terminals = new AgentTerminals({
    cwd: repo,
    env: { PATH: process.env['PATH'] ?? '', QUAYSIDE_TAG: 'tag' },
    log: createLog('silent'),
    onOpened: (terminal) => opened.push(terminal),
    onExited: (terminal) => exited.push(terminal),
  })
  const sh = async (script: string, more: Partial<CreateTerminal> = {}): Promise<string> => {
    const request = { command: '/bin/sh', args: ['-c', script], ...more }
    return (await terminals.create(request)).terminalId
  }
  /** Runs a script to its end and returns its result. */
  const run = async (script: string, more?: Partial<CreateTerminal>): Promise<TerminalState> => {
    const terminalId = await sh(script, more)
    await terminals.waitForExit(terminalId)
    return terminals.output(terminalId)
  }
  const close = async (): Promise<void> => {
    await terminals.closeAll()
    folder[Symbol.dispose]()
  }
  const more = { folder, repo, opened, exited, sh, run, [Symbol.asyncDispose]: close }
  return Object.assign(terminals, more)
}

test('stdout and stderr come in the order they were written', async () => {
  await using terminals = openTerminals()
  const numbers = Array.from({ length: 200 }, (_, index) => index)
  const script = numbers.map((n) => `echo ${n} ${n % 3 === 0 ? '>&2' : ''}`).join('\n')
  expect(await terminals.run(script)).toEqual({
    output: numbers.map((n) => `${n}\n`).join(''),
    truncated: false,
    exitStatus: { exitCode: 0, signal: null },
  })
})

test('a script may write to /dev/stdout and /dev/stderr', async () => {
  await using terminals = openTerminals()
  const { output } = await terminals.run('echo a >/dev/stdout; echo b >/dev/stderr')
  expect(output).toBe('a\nb\n')
})

test('an exit code and a signal are reported unchanged', async () => {
  await using terminals = openTerminals()
  expect((await terminals.run('exit 7')).exitStatus).toEqual({ exitCode: 7, signal: null })
  const { exitStatus } = await terminals.run('kill -USR1 $$')
  expect(exitStatus).toEqual({ exitCode: null, signal: 'SIGUSR1' })
})

test('opening and end are recorded once each, before the agent gets the response', async () => {
  await using terminals = openTerminals()
  const terminalId = await terminals.sh('echo hi; exit 3')
  const { repo } = terminals
  const args = ['-c', 'echo hi; exit 3']
  expect(terminals.opened).toEqual([{ terminalId, command: '/bin/sh', args, cwd: repo }])

  await terminals.waitForExit(terminalId)
  const end = { terminalId, exitCode: 3, signal: null, output: 'hi\n', truncated: false }
  expect(terminals.exited).toEqual([end])

  await terminals.release(terminalId)
  expect(terminals.exited).toEqual([end])
})

test('a failing recorder does not block the agent', async () => {
  using folder = new TempFolder()
  const fail = (): void => {
    throw new Error('disk full')
  }
  const terminals = new AgentTerminals({
    cwd: realpathSync(folder.path),
    env: {},
    log: createLog('silent'),
    onOpened: fail,
    onExited: fail,
  })
  const { terminalId } = await terminals.create({ command: '/bin/sh', args: ['-c', 'exit 4'] })
  expect(await terminals.waitForExit(terminalId)).toEqual({ exitCode: 4, signal: null })
  await terminals.closeAll()
})

test('several can wait, before and after the end', async () => {
  await using terminals = openTerminals()
  const gate = terminals.folder.file('gate')
  await terminals.run(`mkfifo ${gate}`)
  const terminalId = await terminals.sh(`read line <${gate}; exit 5`)
  const early = [terminals.waitForExit(terminalId), terminals.waitForExit(terminalId)]
  expect(terminals.output(terminalId)).toEqual({ output: '', truncated: false })

  await terminals.run(`echo go >${gate}`)

  const exit = { exitCode: 5, signal: null }
  expect(await Promise.all(early)).toEqual([exit, exit])
  expect(await terminals.waitForExit(terminalId)).toEqual(exit)
  expect(terminals.output(terminalId).exitStatus).toEqual(exit)
})

test('aborting a wait does not stop the command', async () => {
  await using terminals = openTerminals()
  const terminalId = await terminals.sh('sleep 1000')
  const stop = new AbortController()
  const waiting = terminals.waitForExit(terminalId, stop.signal)
  stop.abort(new Error('the turn was cancelled'))
  await expect(waiting).rejects.toThrow('the turn was cancelled')
  await expect(terminals.waitForExit(terminalId, stop.signal)).rejects.toThrow('cancelled')
  expect(terminals.output(terminalId).exitStatus).toBeUndefined()
  await terminals.kill(terminalId)
  const exit = { exitCode: null, signal: 'SIGTERM' }
  expect(await terminals.waitForExit(terminalId, new AbortController().signal)).toEqual(exit)
})

test('a long output keeps its end, cut at a character', async () => {
  await using terminals = openTerminals()
  const script = 'for i in 1 2 3 4 5; do printf "%s€🚀" $i; done'
  const { output, truncated } = await terminals.run(script, { outputByteLimit: 12 })
  expect({ output, truncated }).toEqual({ output: '🚀5€🚀', truncated: true })
  expect(terminals.exited[0]).toMatchObject({ output: '🚀5€🚀', truncated: true })
  expect(await terminals.run(script, { outputByteLimit: 0 })).toMatchObject({ output: '' })
})

test('stdin is empty, the base environment is there, more is added', async () => {
  await using terminals = openTerminals()
  const { output } = await terminals.run('cat; echo "$QUAYSIDE_TAG $MORE $HOME"', {
    env: [{ name: 'MORE', value: 'a b=c' }],
  })
  expect(output).toBe('tag a b=c \n')
})

test('a terminal runs in the folder it asks for', async () => {
  await using terminals = openTerminals()
  mkdirSync(terminals.folder.file('src'))
  expect((await terminals.run('pwd')).output).toBe(`${terminals.repo}\n`)
  const cwd = `${terminals.repo}/src`
  expect((await terminals.run('pwd', { cwd })).output).toBe(`${cwd}\n`)
  await expect(terminals.sh('pwd', { cwd: '/' })).rejects.toMatchObject({ code: 'outside' })
})

test('a shell line without arguments is run by a shell', async () => {
  await using terminals = openTerminals()
  terminals.folder.write('x', 'from x')
  const { terminalId } = await terminals.create({ command: 'echo "a  b" && cat x' })
  await terminals.waitForExit(terminalId)
  expect(terminals.output(terminalId).output).toBe('a  b\nfrom x')
  expect(terminals.opened[0]).toMatchObject({ command: 'echo "a  b" && cat x', args: [] })
})

test('a program that cannot be run is named, and nothing stays open', async () => {
  await using terminals = openTerminals()
  const missing = terminals.create({ command: 'no-such-program', args: ['x'] })
  await expect(missing).rejects.toMatchObject({
    code: 'spawn_failed',
    message: expect.stringMatching(/"no-such-program" cannot be run: there is no such program/),
  })
  const file = terminals.folder.write('plain', 'text')
  await expect(terminals.create({ command: file })).rejects.toMatchObject({ code: 'spawn_failed' })
  expect(terminals.list()).toEqual([])
  expect([terminals.opened, terminals.exited]).toEqual([[], []])
})

test('an unknown id is not found, by any method', async () => {
  await using terminals = openTerminals()
  const notFound = { code: 'not_found' }
  const { signal } = new AbortController()
  expect(() => terminals.output('x')).toThrow(expect.objectContaining(notFound))
  expect(() => terminals.watch('x', signal)).toThrow(expect.objectContaining(notFound))
  await expect(terminals.waitForExit('x')).rejects.toMatchObject(notFound)
  await expect(terminals.kill('x')).rejects.toMatchObject(notFound)
  await expect(terminals.release('x')).rejects.toMatchObject(notFound)
})

test('people see what runs, what ended, and the output while it comes', async () => {
  await using terminals = openTerminals()
  await terminals.run('echo done')
  const gate = terminals.folder.file('gate')
  await terminals.run(`mkfifo ${gate}`)
  const terminalId = await terminals.sh(`echo first; read line <${gate}; echo "$line"`)
  const seen: string[] = []
  for await (const { text } of terminals.watch(terminalId, new AbortController().signal)) {
    seen.push(text)
    if (seen.join('') !== 'first\n') continue
    expect(
      terminals.list().map(({ output, exitStatus }) => [output, exitStatus?.exitCode]),
    ).toEqual([
      ['done\n', 0],
      ['', 0],
      ['first\n', undefined],
    ])
    await terminals.run(`echo second >${gate}`)
  }
  expect(seen.join('')).toBe('first\nsecond\n')
})

test('aborting a watch ends it at once', async () => {
  await using terminals = openTerminals()
  const terminalId = await terminals.sh('echo ready; sleep 1000')
  const stop = new AbortController()
  for await (const { text } of terminals.watch(terminalId, stop.signal)) {
    expect(text).toBe('ready\n')
    queueMicrotask(() => stop.abort())
  }
  expect(terminals.output(terminalId).exitStatus).toBeUndefined()
})
