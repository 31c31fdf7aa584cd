import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { ArgsProbes } from './args-probe.js'
import type { Launch } from './launch.js'

const folder = mkdtempSync(join(tmpdir(), 'quayside-probe-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A program that counts how often it was run. */
function program(name: string, script: string): Launch {
  const command = join(folder, name)
  writeFileSync(command, `#!/bin/sh\necho "$*" >> "${command}.asked"\n${script}\n`)
  chmodSync(command, 0o755)
  const argsProbe = { args: ['--help'], contains: '--acp', else: ['--experimental-acp'] }
  return { command, args: ['--acp'], env: { PATH: '/bin:/usr/bin' }, cwd: folder, argsProbe }
}

function asked({ command }: Launch): string[] {
  return readFileSync(`${command}.asked`, 'utf8').trim().split('\n')
}

const log = pino({ level: 'silent' })
const probes = new ArgsProbes(log, new AbortController().signal)

test('a program that knows the new argument is started with it, an older one with the old', async () => {
  const current = program('current', 'echo "usage: [--acp] [--help]"')
  const older = program('older', 'echo "  --experimental-acp  speak ACP" >&2; exit 1')
  expect(await probes.settle(current)).toMatchObject({ args: ['--acp'], cwd: folder })
  expect(await probes.settle(older)).toMatchObject({ args: ['--experimental-acp'] })
  expect(await probes.settle(older)).not.toHaveProperty('argsProbe')
})

test('it is asked once, and again when it was replaced', async () => {
  const launch = program('twice', 'echo --acp')
  await Promise.all([probes.settle(launch), probes.settle(launch)])
  await probes.settle(launch)
  expect(asked(launch)).toEqual(['--help'])
  utimesSync(launch.command, 1, 1)
  await probes.settle(launch)
  expect(asked(launch)).toEqual(['--help', '--help'])
})

test('one that says nothing is started as the manifest says, and asked again the next time', async () => {
  const launch = program('mute', 'exit 3')
  expect((await probes.settle(launch)).args).toEqual(['--acp'])
  expect((await probes.settle(launch)).args).toEqual(['--acp'])
  expect(asked(launch)).toHaveLength(2)
})

test('a program that never answers is ended with the hub', async () => {
  const hub = new AbortController()
  const settled = new ArgsProbes(log, hub.signal).settle(program('hung', 'exec sleep 600'))
  hub.abort(new Error('the hub stops'))
  await expect(settled).rejects.toThrow('the hub stops')
})

test('a launch without a probe stays as it is', async () => {
  const launch = { command: '/no/such/program', args: ['x'], env: {}, cwd: folder }
  expect(await probes.settle(launch)).toEqual(launch)
})
